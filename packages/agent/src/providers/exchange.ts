type Fetch = typeof globalThis.fetch

// Far above the size of any answer. Without it, a service that never ends its answer would exhaust the memory of all
// runs.
const defaultReceivedLimit = 32 * 1024 * 1024

/**
 * One HTTP exchange with a model's service, with its own timeout, because some SDKs hang forever on a stalled body.
 * Pass `fetch` and `signal` to the SDK; `signal` is aborted by the caller or after `idleTimeoutMs` without a single
 * byte (keep-alive comments count as bytes), and `stalled()` tells the two apart. A body is aborted after
 * `receivedLimit` bytes. `retryAfterMs()` is the delay that the last response requested, even if the SDK hides it.
 * `close()` stops the timeout and drops the connection.
 */
export type Exchange = {
  fetch: Fetch
  signal: AbortSignal
  stalled(): boolean
  retryAfterMs(): number | undefined
  close(): void
}

/**
 * Reads a `retry-after` (seconds or an HTTP date) or `retry-after-ms` header into milliseconds. Returns `undefined` for
 * any other value.
 */
export function parseRetryAfter(headers: Pick<Headers, 'get'>, now: number): number | undefined {
  const precise = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(precise) && precise >= 0) return precise
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Converts a whole JSON answer to the event stream that the SDK expects: some compatible servers never stream. An array
 * (Gemini's form) becomes one event for each element. Text that isn't JSON is returned unchanged, since some servers
 * only give their event stream a wrong content type. One SDK requires named events, another unnamed ones.
 */
export function jsonToEventStream(body: string, eventName?: string): string {
  const head = eventName === undefined ? '' : `event: ${eventName}\n`
  const trimmed = body.trim()
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) return body
  let parsed: unknown
  try {
    parsed = JSON.parse(trimmed)
  } catch {
    // Deliberately kept invalid: the SDK's parse error becomes an `invalid_response`.
    return `${head}data: ${trimmed.replaceAll(/\s*\n\s*/g, ' ')}\n\n`
  }
  const events: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return events.map((event) => `${head}data: ${JSON.stringify(event)}\n\n`).join('')
}

/**
 * Opens an exchange. Nothing is sent before the SDK calls `fetch`, but the timeout starts immediately, so that a
 * connection that never answers is detected too.
 */
export function createExchange(options: {
  signal: AbortSignal
  idleTimeoutMs: number
  eventName?: string
  receivedLimit?: number
}): Exchange {
  const { receivedLimit = defaultReceivedLimit } = options
  const watchdog = new AbortController()
  const signal = AbortSignal.any([options.signal, watchdog.signal])
  let stalled = false
  let retryAfterMs: number | undefined
  const timer = setTimeout(() => {
    stalled = true
    watchdog.abort()
  }, options.idleTimeoutMs)
  const restartTimer = (): void => {
    if (!watchdog.signal.aborted) timer.refresh()
  }

  const watchedFetch: Fetch = async (input, init) => {
    const signals = init?.signal ? [signal, init.signal] : [signal]
    // A redirect could lead the key to another host: it is an error that names its status.
    const response = await fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
    restartTimer()
    retryAfterMs = parseRetryAfter(response.headers, Date.now())
    if (!response.body) return response
    let received = 0
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          restartTimer()
          received += chunk.byteLength
          if (received > receivedLimit) {
            controller.error(new Error(`The service sent more than ${Math.floor(receivedLimit / 1024 / 1024)} MiB.`))
          } else controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText } = response
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    headers.delete('content-encoding')
    if (!response.ok || !isJson(headers)) return new Response(body, { status, statusText, headers })
    const text = await new Response(body).text()
    headers.set('content-type', 'text/event-stream')
    return new Response(jsonToEventStream(text, options.eventName), { status, statusText, headers })
  }

  return {
    fetch: watchedFetch,
    signal,
    stalled: () => stalled,
    retryAfterMs: () => retryAfterMs,
    close() {
      clearTimeout(timer)
      watchdog.abort()
    },
  }
}

function isJson(headers: Headers): boolean {
  return /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
}
