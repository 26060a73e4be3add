import { UPDATE_LIMIT } from '@copydesk/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readClientKey } from '../../collaboration/admission/client-ids.ts'
import { senderOf } from '../../auth/callers.ts'
import { RequestError, orThrow } from '../../common/errors.ts'
import { admittedCaller } from '../requests/admission.ts'
import { type ApiDeps, stillAllowed } from '../requests/context.ts'
import { route } from '../requests/route.ts'

const contentType = 'application/octet-stream'
// Each queued update is kept in memory.
const updatesPerPerson = 4

/**
 * The route for edits over HTTP: updates that are too large for a WebSocket frame, such as after a long time offline.
 */
export function updateRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const options = {
    ...route('Edit the content with a Yjs update that is too large for a frame', {
      description: `The body is one Yjs update (V1), at most ${UPDATE_LIMIT / 1024 / 1024} MiB. Answers when it is on disk.`,
      consumes: [contentType],
      params: z.object({ id: z.string() }),
      querystring: z.object({ client: z.string().optional() }),
      204: z.null(),
    }),
    bodyLimit: UPDATE_LIMIT,
    onRequest: limitUpdates(),
  }
  return async (app) => {
    app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post('/documents/:id/updates', options, async (request, reply) => {
      const caller = admittedCaller(request)
      const { body } = request
      if (!(body instanceof Uint8Array)) {
        throw new RequestError('unsupported_media_type', 'Not a Yjs update.', `Send it as ${contentType}.`)
      }
      // A copy: the log's thread takes ownership of the bytes, and a Buffer may share its memory with others.
      const update = Uint8Array.from(body)
      const { id } = request.params
      const check = stillAllowed(deps, caller, id, 'write')
      orThrow(await deps.applyUpdate(id, update, senderOf(caller, readClientKey(request.query.client)), check))
      return reply.status(204).send(null)
    })
  }
}

/** Limits the concurrent updates of each person, before a large body is read. */
function limitUpdates() {
  const underWay = new Map<string, number>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { id } = admittedCaller(request).user
    const before = underWay.get(id) ?? 0
    if (before >= updatesPerPerson) {
      const message = `${updatesPerPerson} of your updates are being processed already.`
      throw new RequestError('rate_limited', message, 'Send the next one when one of them has been answered.')
    }
    underWay.set(id, before + 1)
    reply.raw.once('close', () => {
      const left = (underWay.get(id) ?? 1) - 1
      if (left > 0) underWay.set(id, left)
      else underWay.delete(id)
    })
  }
}
