import { Change, ChangeList, DecideChange, ErrorBody, PostChange } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../errors.ts'
import { orThrow } from '../review/refusal.ts'
import { authorOf } from './author.ts'
import { type ApiDeps, requireDocument } from './context.ts'
import { readSelection } from './selection.ts'

const Params = z.object({ id: z.string() })
const ChangeParams = Params.extend({ change: z.string() })
const failures = { '4xx': ErrorBody }

/** Routes for suggested changes: list, create, decide. Suggesting needs `comment`, deciding needs `write`. */
export function changeRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = {
    schema: { summary: 'Open suggested changes', params: Params, response: { 200: ChangeList, ...failures } },
  }
  const post = {
    schema: {
      summary: 'Suggest a change, or decide on all of them',
      description:
        'With {quote or selection, replaceWith} 201 and the change; with {decision, author?, run?} 200 and what was decided: all open changes, or those of one author or run that nobody else has written into.',
      params: Params,
      body: PostChange,
      response: { 200: ChangeList, 201: Change, ...failures },
    },
  }
  const decide = {
    schema: {
      summary: 'Accept or reject a suggested change',
      params: ChangeParams,
      body: DecideChange,
      response: { 200: Change, ...failures },
    },
  }
  return async (app) => {
    app.get('/documents/:id/changes', list, async (request) => {
      await requireDocument(request, deps, 'read')
      const { changes } = orThrow(await deps.changes.list(request.params.id))
      return { changes }
    })
    app.post('/documents/:id/changes', post, async (request, reply) => {
      const { id } = request.params
      const { body } = request
      if ('decision' in body) {
        const by = authorOf(await requireDocument(request, deps, 'write'))
        const { decision, ...filter } = body
        const { changes } = orThrow(await deps.changes.decideAll(id, decision, by, filter))
        return reply.status(200).send({ changes })
      }
      const author = authorOf(await requireDocument(request, deps, 'comment'))
      if (body.quote === undefined && body.selection === undefined) {
        throw new RequestError('invalid_input', 'body: a quote or a selection is missing.', 'Say what to replace.')
      }
      const pointer = { quote: body.quote, selection: readSelection(body.selection) }
      const suggested = await deps.changes.suggest(id, deps.createId(), pointer, body.replaceWith, author)
      return reply.status(201).send(orThrow(suggested).change)
    })
    app.post('/documents/:id/changes/:change', decide, async (request) => {
      const by = authorOf(await requireDocument(request, deps, 'write'))
      const { id, change } = request.params
      return orThrow(await deps.changes.decide(id, change, request.body.decision, by)).change
    })
  }
}
