import {
  CreateToolServer,
  OutgoingTool,
  OwnToolPolicy,
  PatchForeignTool,
  PatchToolServer,
  PutToolPolicy,
  ToolServer,
  ToolServerList,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../../common/errors.ts'
import { requireAgentOperator } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { operatorRoute } from '../requests/route.ts'

const params = z.object({ server: z.string() })

/** Tool servers and the policies of tools, for operators. */
export function toolServerRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('preHandler', async (request) => void (await requireAgentOperator(request, deps)))
    const list = operatorRoute('All tool servers, and the policies of own tools', { 200: ToolServerList })
    app.get('/tool-servers', list, async () => ({
      servers: await deps.toolServers.list(),
      own: await deps.toolPolicies.list(),
    }))

    const create = operatorRoute('Add a tool server', { body: CreateToolServer, 201: ToolServer })
    app.post('/tool-servers', create, async (request, reply) => {
      const { user } = await requireAgentOperator(request, deps)
      return reply.status(201).send(await deps.toolServers.create(request.body, user.id))
    })

    const patch = operatorRoute('Change a tool server', { params, body: PatchToolServer, 200: ToolServer })
    app.patch('/tool-servers/:server', patch, async (request) =>
      deps.toolServers.change(request.params.server, request.body),
    )

    const remove = operatorRoute('Delete a tool server', { params, 204: z.null() })
    app.delete('/tool-servers/:server', remove, async (request, reply) => {
      await deps.toolServers.delete(request.params.server)
      return reply.status(204).send(null)
    })

    const test = operatorRoute('Connect to a tool server and list its tools', { params, 200: ToolServer })
    app.post('/tool-servers/:server/test', test, async (request) => deps.toolServers.test(request.params.server))

    const tool = operatorRoute('Change the policy of a tool of a tool server, or accept its changed definition', {
      params: params.extend({ tool: z.string() }),
      body: PatchForeignTool,
      200: ToolServer,
    })
    app.patch('/tool-servers/:server/tools/:tool', tool, async (request) => {
      const { server, tool: name } = request.params
      return deps.toolServers.changeTool(server, name, request.body)
    })

    const own = operatorRoute('Set the policy of one of the own tools that send something out', {
      params: z.object({ tool: z.string() }),
      body: PutToolPolicy,
      200: OwnToolPolicy,
    })
    app.put('/tool-policies/:tool', own, async (request) => {
      const known = OutgoingTool.safeParse(request.params.tool)
      if (!known.success) throw new RequestError('not_found', 'There is no policy of such a tool.')
      const { policy } = request.body
      await deps.toolPolicies.set(known.data, policy)
      return { tool: known.data, policy }
    })
  }
}
