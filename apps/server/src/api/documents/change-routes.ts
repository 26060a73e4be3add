import {
  type Author,
  Change,
  ChangeList,
  DecideChange,
  PostChange,
  type Selection,
  type User,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { LiveSelection } from '@copydesk/tools'
import { RequestError, orThrow } from '../../common/errors.ts'
import { decodeSelection } from '../../common/relative-position.ts'
import { type ApiDeps, requireDocument } from '../requests/context.ts'
import { route } from '../requests/route.ts'

const Params = z.object({ id: z.string() })
const ChangeParams = Params.extend({ change: z.string() })

/** Routes for suggested changes: list, create, decide. Suggesting needs `comment`, deciding needs `write`. */
export function changeRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = route('Open suggested changes', { params: Params, 200: ChangeList })
  const post = route('Suggest a change, or accept or reject all suggested changes', {
    description:
      'With {quote or selection, replaceWith} or {comment} (whose replacement is suggested) 201 and the change; with {decision, author?, run?} 200 and what was decided: all open changes, or those of one author or run that nobody else has written into.',
    params: Params,
    body: PostChange,
    200: ChangeList,
    201: Change,
  })
  const decide = route('Accept or reject a suggested change', { params: ChangeParams, body: DecideChange, 200: Change })
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
      if ('comment' in body) {
        const proposed = await deps.changes.suggestProposed(id, deps.createId(), body.comment, author)
        return reply.status(201).send(orThrow(proposed).change)
      }
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

/** A person as the author of a message or comment. */
export function authorOf({ id, name }: User): Author {
  return { id, name, kind: 'person' }
}

/**
 * The selection in a request's body, if it has one.
 * @throws RequestError `invalid_input` unless it is two Yjs relative positions.
 */
export function readSelection(selection: Selection | undefined): LiveSelection | undefined {
  if (!selection) return undefined
  const decoded = decodeSelection(selection)
  if (decoded) return decoded
  throw new RequestError(
    'invalid_input',
    'selection: not two Yjs relative positions.',
    'Give anchor and head, each the base64 of Y.encodeRelativePosition.',
  )
}
