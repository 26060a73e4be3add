import { Authorship, AuthorshipQuery, ErrorBody } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiDeps, requireAllowed } from './context.ts'
import { queueOfCallers } from './caller-queue.ts'

const readingsPerPerson = 16

/** The route that returns who wrote which part of a document. */
export function authorshipRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const read = {
    schema: {
      summary: 'Who wrote which part of the text',
      description: 'By ProseMirror positions at the state of stateVector (ranges), or with by=ids by Yjs ids (ids).',
      params: z.object({ id: z.string() }),
      querystring: AuthorshipQuery,
      response: { 200: Authorship, '4xx': ErrorBody },
    },
  }
  const inTurn = queueOfCallers(readingsPerPerson, deps)
  return async (app) => {
    app.get('/documents/:id/authorship', read, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      return inTurn(caller, id, 'read', () => deps.authorship.read(id, request.query.by))
    })
  }
}
