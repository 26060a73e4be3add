import { AgentList, CreateAgent, NamedAgent, PatchAgent } from '@copydesk/protocol'
import { catalogue } from '@copydesk/tools'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAgentOperator } from '../requests/account-context.ts'
import { type ApiDeps, failures } from '../requests/context.ts'

function describe(summary: string) {
  return { summary: `${summary} (operator)`, tags: ['Operators'] }
}

const params = z.object({ agent: z.string() })

/** Named agents, for operators: who writes with people besides the default agent. */
export function namedAgentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = { schema: { ...describe('All agents'), response: { 200: AgentList, ...failures } } }
    app.get('/agents', list, async (request) => {
      await requireAgentOperator(request, deps)
      const { agents, models, toolServers } = deps
      const foreign = (await toolServers.list()).flatMap(({ tools }) => tools.map(({ offeredAs }) => offeredAs))
      const tools = [...catalogue.map(({ name }) => name), ...foreign]
      return { agents: await agents.list(), models: await models.list(), tools }
    })

    const create = {
      schema: { ...describe('Add an agent'), body: CreateAgent, response: { 201: NamedAgent, ...failures } },
    }
    app.post('/agents', create, async (request, reply) => {
      const { user } = await requireAgentOperator(request, deps)
      return reply.status(201).send(await deps.agents.create(request.body, user.id))
    })

    const patch = {
      schema: { ...describe('Change an agent'), params, body: PatchAgent, response: { 200: NamedAgent, ...failures } },
    }
    app.patch('/agents/:agent', patch, async (request) => {
      const { user } = await requireAgentOperator(request, deps)
      return deps.agents.change(request.params.agent, request.body, user.id)
    })

    const remove = { schema: { ...describe('Delete an agent'), params, response: { 204: z.null(), ...failures } } }
    app.delete('/agents/:agent', remove, async (request, reply) => {
      await requireAgentOperator(request, deps)
      await deps.agents.delete(request.params.agent)
      return reply.status(204).send(null)
    })
  }
}
