/** The result of `orAborted` when the signal was aborted first. */
export const aborted: unique symbol = Symbol('aborted')

/**
 * Waits for a promise or until the signal is aborted, whichever comes first: after an abort it resolves to `aborted`
 * immediately and ignores the promise's later result. A rejection before the abort is passed on.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof aborted> {
  promise.catch(() => undefined)
  if (signal.aborted) return aborted
  const settled = new AbortController()
  const stopped = new Promise<typeof aborted>((resolve) => {
    signal.addEventListener('abort', () => resolve(aborted), { signal: settled.signal })
  })
  try {
    return await Promise.race([promise, stopped])
  } finally {
    settled.abort()
  }
}
