/** What `orAborted` yields when the signal came first. */
export const aborted: unique symbol = Symbol('aborted')

/**
 * Waits for a promise, but no longer than until the signal is aborted: then the answer is `aborted` at once and
 * whatever the promise does later is ignored. A rejection before that is passed on.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof aborted> {
  promise.catch(() => undefined)
  if (signal.aborted) return aborted
  let onAbort: (() => void) | undefined
  const stop = new Promise<typeof aborted>((resolve) => {
    onAbort = () => resolve(aborted)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, stop])
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}
