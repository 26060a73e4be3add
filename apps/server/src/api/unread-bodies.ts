import type { FastifyReply, FastifyRequest } from 'fastify'

/** How many bytes of a body may still arrive after the response, and for how many milliseconds. */
export type UnreadLimit = { bytes: number; withinMs: number }

const enough: UnreadLimit = { bytes: 16 * 1024 * 1024, withinMs: 10_000 }

/**
 * An `onSend` hook: discards the rest of a body whose request is answered before all of it has arrived, and closes the
 * connection over the limit. A client whose connection closes immediately may not get to read the response; without a
 * limit it could send forever.
 */
export function dropUnreadBodies({ bytes, withinMs }: UnreadLimit = enough) {
  return async ({ raw }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (raw.complete || raw.destroyed) return payload
    // For a body that is too large Fastify would close the connection immediately.
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
