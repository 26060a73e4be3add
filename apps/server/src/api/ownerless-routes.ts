import { ErrorBody, HandOver, OwnerlessList } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireOperator } from './account-context.ts'
import type { ApiDeps } from './context.ts'

const failures = { '4xx': ErrorBody }

/** Routes for documents without an owner, for operators. */
export function ownerlessRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = {
    schema: {
      summary: 'Documents that nobody owns who could sign in (operator)',
      response: { 200: OwnerlessList, ...failures },
    },
  }
  const take = {
    schema: {
      summary: 'Give a document that has no owner one: a person, or else the caller (operator)',
      params: z.object({ id: z.string() }),
      body: HandOver.nullish(),
      response: { 204: z.null(), ...failures },
    },
  }
  return async (app) => {
    app.get('/ownerless', list, async (request) => {
      await requireOperator(request, deps)
      return { documents: await deps.ownerless.list() }
    })
    app.post('/ownerless/:id', take, async (request, reply) => {
      const { user } = await requireOperator(request, deps)
      await deps.ownerless.handOver(request.params.id, request.body?.person ?? user.id, user.id)
      return reply.status(204).send(null)
    })
  }
}
