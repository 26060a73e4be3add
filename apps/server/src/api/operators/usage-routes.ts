import { Readable } from 'node:stream'
import { Budget, Budgets, OwnUsage, UsageQuery, UsageReport } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reportUsage, usageAsCsv } from '../../budgets/usage-report.ts'
import { requireAgentOperator } from '../requests/account-context.ts'
import { createCallerQueue } from '../requests/caller-queue.ts'
import { type ApiDeps, requirePerson } from '../requests/context.ts'
import { operatorRoute, route } from '../requests/route.ts'

// Each report sums all rows of its days.
const reportsPerPerson = 4

/** Routes for the usage of agents, for operators and for each person, and for the budgets, which operators set. */
export function usageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const report = operatorRoute('Tokens and cost by day, person, agent and model, and the budgets', {
    description: 'Days are in UTC.',
    querystring: UsageQuery,
    200: UsageReport,
  })
  const file = {
    schema: {
      summary: 'The same by day, person, agent and model, as CSV (operator)',
      tags: ['Operators'],
      querystring: UsageQuery,
    },
  }
  const change = operatorRoute('Replace the budgets', { body: Budgets, 200: Budgets })
  const own = route('What the caller’s runs have used today, and their budget', { 200: OwnUsage })
  const runQueued = createCallerQueue(reportsPerPerson)
  return async (app) => {
    app.get('/usage', report, async (request) => {
      const { user } = await requireAgentOperator(request, deps)
      return runQueued(user.id, () => reportUsage(deps.db, deps.budgets, deps.now(), request.query.days))
    })
    app.get('/usage/export', file, async (request, reply) => {
      await requireAgentOperator(request, deps)
      reply.header('content-type', 'text/csv; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="usage.csv"')
      return reply.send(Readable.from(usageAsCsv(deps.db, deps.now(), request.query.days)))
    })
    app.put('/usage/budgets', change, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.budgets.replace(request.body)
    })
    await app.register(personBudgetRoutes(deps))
    app.get('/me/usage', own, async (request) => deps.budgets.ofPerson((await requirePerson(request, deps)).id))
  }
}

function personBudgetRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const params = z.object({ person: z.string() })
  const change = operatorRoute('Give a person a daily budget in place of the one for everybody', {
    params,
    body: Budget,
    204: z.null(),
  })
  const remove = operatorRoute('Take back the daily budget of a person', { params, 204: z.null() })
  return async (app) => {
    app.put('/usage/budgets/people/:person', change, async (request, reply) => {
      await requireAgentOperator(request, deps)
      await deps.budgets.setOfPerson(request.params.person, request.body)
      return reply.status(204).send(null)
    })
    app.delete('/usage/budgets/people/:person', remove, async (request, reply) => {
      await requireAgentOperator(request, deps)
      await deps.budgets.setOfPerson(request.params.person, null)
      return reply.status(204).send(null)
    })
  }
}
