import { AgentList, CreateAgent, NamedAgent, PatchAgent } from '@copydesk/protocol'
import { catalogue } from '@copydesk/tools'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAgentOperator } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { operatorRoute } from '../requests/route.ts'

const params = z.object({ agent: z.string() })

export function namedAgentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('preHandler', async (request) => void (await requireAgentOperator(request, deps)))
    const list = operatorRoute('All agents', { 200: AgentList })
    app.get('/agents', list, async () => {
      const { agents, models, toolServers } = deps
      const foreign = (await toolServers.list()).flatMap(({ tools }) => tools.map(({ offeredAs }) => offeredAs))
      const tools = [...catalogue.map(({ name }) => name), ...foreign]
      return { agents: await agents.list(), models: await models.list(), tools }
    })

    const create = operatorRoute('Add an agent', { body: CreateAgent, 201: NamedAgent })
    app.post('/agents', create, async (request, reply) => {
      const { user } = await requireAgentOperator(request, deps)
      return reply.status(201).send(await deps.agents.create(request.body, user.id))
    })

    const patch = operatorRoute('Change an agent', { params, body: PatchAgent, 200: NamedAgent })
    app.patch('/agents/:agent', patch, async (request) => {
      const { user } = await requireAgentOperator(request, deps)
      return deps.agents.change(request.params.agent, request.body, user.id)
    })

    const remove = operatorRoute('Delete an agent', { params, 204: z.null() })
    app.delete('/agents/:agent', remove, async (request, reply) => {
      await deps.agents.delete(request.params.agent)
      return reply.status(204).send(null)
    })
  }
}
