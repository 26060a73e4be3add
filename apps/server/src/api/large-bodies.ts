import { UPDATE_LIMIT } from '@copydesk/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { type ApiDeps, findPerson } from './context.ts'

// Of what anybody may send, such as a name or a password, nothing is nearly as large.
const fromAnybodyBytes = 64 * 1024
// Four of the largest updates, or two dozen images.
const defaultAtOnceBytes = 4 * UPDATE_LIMIT

/**
 * Keeps large bodies, and those that don't say how large they are, within what the server has memory for: of whoever has no session they
 * are refused before they are read, of a person those that come while `atOnceBytes` of theirs are on their way; all who came by one share
 * link count as one. To read one as JSON also holds everybody up. A hook for before the body is parsed; it throws RequestError
 * `unauthenticated` or `rate_limited`.
 */
export function limitLargeBodies(deps: Pick<ApiDeps, 'identify'>, atOnceBytes = defaultAtOnceBytes) {
  const coming = new Map<string, number>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && Number(length) <= fromAnybodyBytes) return
    const caller = await findPerson(request, deps)
    if (!caller) {
      throw new RequestError('unauthenticated', 'You are not signed in.', 'Sign in before you send so much.')
    }
    const sender = caller.link ?? caller.user.id
    const bytes = Math.min(encoding === undefined ? Number(length) : Infinity, request.routeOptions.bodyLimit)
    const before = coming.get(sender) ?? 0
    if (before + bytes > atOnceBytes) {
      throw new RequestError('rate_limited', 'Too much of yours is on its way.', 'Send the next when it has arrived.')
    }
    // Nobody tells of the end of what is over already.
    if (reply.raw.destroyed) return
    coming.set(sender, before + bytes)
    reply.raw.once('close', () => {
      const left = (coming.get(sender) ?? 0) - bytes
      if (left > 0) coming.set(sender, left)
      else coming.delete(sender)
    })
  }
}
