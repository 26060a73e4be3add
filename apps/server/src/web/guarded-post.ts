import { type Dispatcher, fetch } from 'undici'
import { createGuardedAgent, type GuardOptions, isForbidden, readAddress } from './guarded-fetch.ts'

/** The request, and the time limit of the answer in milliseconds. */
export type Post = { headers: Record<string, string>; body: string; timeoutMs: number }

/**
 * The status and headers of the answer, or the reason of the failure. `inside`: the address isn't on the public
 * internet; `address`: it isn't a web address.
 */
export type Posted =
  | { ok: true; status: number; headers: Pick<Headers, 'get'> }
  | { ok: false; reason: 'inside' | 'address' | 'slow' | 'unreachable' }

/** Posts to an address that the server doesn't trust. Never rejects unless `signal` is aborted. */
export type GuardedPost = (address: string, post: Post, signal: AbortSignal) => Promise<Posted>

/**
 * Creates a post that connects to the same addresses as `createGuardedFetch`. Doesn't follow redirects or read the body
 * of the answer.
 */
export function createGuardedPost(options: GuardOptions): GuardedPost {
  let dispatcher: Dispatcher | undefined
  return async (address, { headers, body, timeoutMs }, signal) => {
    const url = readAddress(address)
    if (!url) return { ok: false, reason: 'address' }
    dispatcher ??= createGuardedAgent(options)
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    try {
      const response = await fetch(url, {
        method: 'POST',
        dispatcher,
        redirect: 'manual',
        signal: either,
        headers,
        body,
      })
      await response.body?.cancel()
      return { ok: true, status: response.status, headers: response.headers }
    } catch (error) {
      signal.throwIfAborted()
      if (isForbidden(error)) return { ok: false, reason: 'inside' }
      return { ok: false, reason: timeout.aborted ? 'slow' : 'unreachable' }
    }
  }
}
