import { ErrorBody, UPDATE_LIMIT } from '@copydesk/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Caller } from '../auth/callers.ts'
import { readClientKey } from '../collaboration/client-ids.ts'
import { senderOf } from '../collaboration/identity.ts'
import { RequestError } from '../errors.ts'
import { orThrow } from '../review/refusal.ts'
import { type ApiDeps, requireAllowed, stillAllowed } from './context.ts'
import { createPlaces } from './places.ts'

const contentType = 'application/octet-stream'
// Each is held in memory until its turn comes.
const updatesPerPerson = 4

/** Edits by HTTP: for a change that is too large for a frame, such as a long time offline. */
export function updateRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const door = createDoor(deps)
  const options = {
    bodyLimit: UPDATE_LIMIT,
    onRequest: door.enter,
    schema: {
      summary: 'Edit the content with a Yjs update that is too large for a frame',
      description: `The body is one Yjs update (V1), at most ${UPDATE_LIMIT / 1024 / 1024} MiB. Answers when it is on disk.`,
      consumes: [contentType],
      params: z.object({ id: z.string() }),
      querystring: z.object({ client: z.string().optional() }),
      response: { 204: z.null(), '4xx': ErrorBody },
    },
  }
  return async (app) => {
    app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post('/documents/:id/updates', options, async (request, reply) => {
      const caller = door.callerOf(request)
      const { body } = request
      if (!(body instanceof Uint8Array)) {
        throw new RequestError('unsupported_media_type', 'Not a Yjs update.', `Send it as ${contentType}.`)
      }
      // A copy of its own: the log's thread keeps what it gets, and a Buffer may share its memory.
      const update = Uint8Array.from(body)
      const { id } = request.params
      const check = stillAllowed(deps, caller, id, 'write')
      orThrow(await deps.takeUpdate(id, update, senderOf(caller, readClientKey(request.query.client)), check))
      return reply.status(204).send(null)
    })
  }
}

/** Lets in who may write, a few updates of each at once, before anything of a large body is read. */
function createDoor(deps: ApiDeps) {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const places = createPlaces(updatesPerPerson)
  return {
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { caller } = await requireAllowed(request as FastifyRequest<{ Params: { id: string } }>, deps, 'write')
      const giveBack = places.take(caller.user.id)
      if (!giveBack) {
        const message = `${updatesPerPerson} updates of yours are being taken already.`
        throw new RequestError('rate_limited', message, 'Send the next when one of them is answered.')
      }
      reply.raw.once('close', giveBack)
      callers.set(request, caller)
    },
    callerOf(request: FastifyRequest): Caller {
      const caller = callers.get(request)
      if (!caller) throw new Error('a request was taken that nobody has let in')
      return caller
    },
  }
}
