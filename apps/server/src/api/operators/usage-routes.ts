import { Readable } from 'node:stream'
import { Budgets, OwnUsage, UsageQuery, UsageReport } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reportUsage, usageAsCsv } from '../../budgets/usage-report.ts'
import { requireAgentOperator } from '../requests/account-context.ts'
import { createCallerQueue } from '../requests/caller-queue.ts'
import { type ApiDeps, failures, requirePerson } from '../requests/context.ts'

// Each adds up all rows of its days.
const reportsPerPerson = 4

/** What agents have used, for operators and for each person; the budgets, which operators set. */
export function usageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const report = {
    schema: {
      summary: 'Tokens and cost by day, person, agent and model, and the budgets (operator)',
      description: 'Days are in UTC.',
      tags: ['Operators'],
      querystring: UsageQuery,
      response: { 200: UsageReport, ...failures },
    },
  }
  const file = {
    schema: {
      summary: 'The same by day, person, agent and model, as CSV (operator)',
      tags: ['Operators'],
      querystring: UsageQuery,
    },
  }
  const change = {
    schema: {
      summary: 'Replace the budgets (operator)',
      tags: ['Operators'],
      body: Budgets,
      response: { 200: Budgets, ...failures },
    },
  }
  const own = {
    schema: {
      summary: 'What the caller’s runs have used today, and their budget',
      response: { 200: OwnUsage, ...failures },
    },
  }
  const inTurn = createCallerQueue(reportsPerPerson)
  return async (app) => {
    app.get('/usage', report, async (request) => {
      const { user } = await requireAgentOperator(request, deps)
      return inTurn(user.id, () => reportUsage(deps.db, deps.budgets, deps.now(), request.query.days))
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
    app.get('/me/usage', own, async (request) => deps.budgets.ofPerson((await requirePerson(request, deps)).id))
  }
}
