import { UPDATE_LIMIT } from '@copydesk/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../common/errors.ts'
import { type ApiDeps, findPerson } from './context.ts'

// Bodies of routes without authentication, such as a name or a password, are far smaller.
const fromAnybodyBytes = 64 * 1024
// Room for four updates of the maximum size, or two dozen images.
const atOnceBytes = 4 * UPDATE_LIMIT

/**
 * A hook before the body is parsed. It keeps large bodies, and bodies without `content-length`, within the server's
 * memory: refuses them unread without a session, and while more than `atOnceBytes` of the same person are being
 * received; all guests of one share link count together. Parsing a large JSON body also blocks the event loop.
 * @throws RequestError `unauthenticated` or `rate_limited`.
 */
export function limitLargeBodies(deps: Pick<ApiDeps, 'identify'>) {
  const receivingBytes = new Map<string, number>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && Number(length) <= fromAnybodyBytes) return
    const caller = await findPerson(request, deps)
    if (!caller) {
      throw new RequestError('unauthenticated', 'You are not signed in.', 'Sign in before sending a body of this size.')
    }
    const sender = caller.link ?? caller.user.id
    const bytes = Math.min(encoding === undefined ? Number(length) : Infinity, request.routeOptions.bodyLimit)
    const before = receivingBytes.get(sender) ?? 0
    if (before + bytes > atOnceBytes) {
      throw new RequestError(
        'rate_limited',
        'Too much of your data is being uploaded already.',
        'Send the next request when the others have finished.',
      )
    }
    // A destroyed response emits no further `close`.
    if (reply.raw.destroyed) return
    receivingBytes.set(sender, before + bytes)
    reply.raw.once('close', () => {
      const left = (receivingBytes.get(sender) ?? 0) - bytes
      if (left > 0) receivingBytes.set(sender, left)
      else receivingBytes.delete(sender)
    })
  }
}

// Limits of the rest of a body after the response: its bytes, and its time in milliseconds.
const unreadAtMost = { bytes: 16 * 1024 * 1024, withinMs: 10_000 }

/**
 * An `onSend` hook: discards the rest of a body whose request is answered before the whole body has arrived, and closes
 * the connection over the limit. A client whose connection closes immediately may not read the response; without a
 * limit it could send forever.
 */
export function dropUnreadBodies() {
  return async ({ raw }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (raw.complete || raw.destroyed) return payload
    // Fastify would close the connection immediately after a body that is too large.
    reply.removeHeader('connection')
    let left = unreadAtMost.bytes
    const timer = setTimeout(() => raw.socket.destroy(), unreadAtMost.withinMs)
    timer.unref()
    raw.unpipe()
    raw.on('data', ({ length }: Uint8Array) => {
      left -= length
      if (left < 0) raw.socket.destroy()
    })
    raw.once('close', () => clearTimeout(timer))
    raw.resume()
    return payload
  }
}
