import type { FastifyReply, FastifyRequest } from 'fastify'

/** How much of a body may still come after its request was answered, and for how long. */
export type UnreadLimit = { bytes: number; withinMs: number }

const enough: UnreadLimit = { bytes: 16 * 1024 * 1024, withinMs: 10_000 }

/**
 * Passes over what is left of a body whose request is answered before all of it has come, and cuts the connection when
 * that is too much or takes too long: a client that is hung up on at once may not get to read its answer, and one that
 * is not could send without end. A hook for `onSend`.
 */
export function dropUnreadBodies({ bytes, withinMs }: UnreadLimit = enough) {
  return async ({ raw }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (raw.complete || raw.destroyed) return payload
    // Fastify's own answer to a body that is too large would close the connection at once.
    reply.removeHeader('connection')
    let left = bytes
    const timer = setTimeout(() => raw.socket.destroy(), withinMs)
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
