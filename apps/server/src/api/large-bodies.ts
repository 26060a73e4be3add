import { UPDATE_LIMIT } from '@copydesk/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { type ApiDeps, findPerson } from './context.ts'

// Bodies of routes without authentication, such as a name or a password, are far smaller.
const fromAnybodyBytes = 64 * 1024
// Room for four updates of the maximum size, or two dozen images.
const defaultAtOnceBytes = 4 * UPDATE_LIMIT

/**
 * A hook before the body is parsed. It keeps large bodies, and bodies without `content-length`, within the server's
 * memory: refused unread without a session, and refused while more than `atOnceBytes` of the same person are being
 * received; all guests of one share link count together. Parsing a large JSON body also blocks the event loop.
 * @throws RequestError `unauthenticated` or `rate_limited`.
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
    // A destroyed response emits no further `close`.
    if (reply.raw.destroyed) return
    coming.set(sender, before + bytes)
    reply.raw.once('close', () => {
      const left = (coming.get(sender) ?? 0) - bytes
      if (left > 0) coming.set(sender, left)
      else coming.delete(sender)
    })
  }
}
