import type { ServerResponse } from 'node:http'
import type { EventHub } from './event-hub.ts'
import type { ServerEvent } from './room-watch.ts'
import type { StreamPlace } from './stream-counts.ts'

export type EventStreamOptions = {
  hub: Pick<EventHub, 'listen'>
  document: string
  /** Additional headers of the response. */
  headers: Record<string, number | string | string[] | undefined>
  /** Returns whether too many bytes wait for the reader; the caller that acquired it calls `leave`. */
  place: Pick<StreamPlace, 'isLagging'>
  /** Whether the listener may still read the document. */
  isAllowed: () => Promise<boolean>
  /** Calls the listener when rights may have changed; returns the function that unsubscribes. */
  onRights: (listener: () => void) => () => void
  /** Monotonic clock in milliseconds. */
  now: () => number
  heartbeatMs?: number
}

const defaultHeartbeatMs = 15_000
// Access is checked when rights change, and before an event is sent if the last check is at least this old.
const recheckMs = 1000
const listening = Buffer.from(': listening\n\n')
const stillHere = Buffer.from(': still here\n\n')

/**
 * Streams a document's events to an HTTP response until the client disconnects, loses access to the document or reads
 * too slowly (according to `place`), or the server closes. Sends an SSE comment first, when all later events will be
 * sent.
 */
export async function streamEvents(response: ServerResponse, options: EventStreamOptions): Promise<void> {
  const { hub, document, headers, place, isAllowed, onRights, now, heartbeatMs = defaultHeartbeatMs } = options
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  let checkedAt = now()
  let sending = Promise.resolve()
  // Bytes that wait for the access check.
  let queued = 0
  const isOver = (): boolean => response.writableEnded || response.destroyed
  const cutIfLagging = (): void => void (place.isLagging(response.writableLength + queued) && response.destroy())
  response.on('drain', cutIfLagging)
  const write = (bytes: Uint8Array): void => {
    if (isOver()) return
    response.write(bytes)
    cutIfLagging()
  }
  const send = (bytes: Uint8Array): void => {
    if (isOver()) return
    queued += bytes.byteLength
    cutIfLagging()
    if (isOver()) return
    sending = sending.then(async () => {
      queued -= bytes.byteLength
      if (isOver()) return
      if (now() - checkedAt >= recheckMs) {
        if (!(await mayStay())) return void response.end()
        checkedAt = now()
      }
      write(bytes)
    })
  }
  // A failed check counts as no access.
  const mayStay = async (): Promise<boolean> => isAllowed().catch(() => false)
  const stopRights = onRights(() => void mayStay().then((may) => void (may || response.end())))
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  const heartbeat = setInterval(() => send(stillHere), heartbeatMs)
  heartbeat.unref()
  const stop = await hub.listen(document, {
    event: (event) => send(encode(event)),
    end: () => void response.end(),
  })
  try {
    // Without this check, access that was revoked while the room was read would remain until the next event.
    if (await mayStay()) write(listening)
    else response.end()
    if (!response.destroyed) await gone
  } finally {
    clearInterval(heartbeat)
    stopRights()
    stop()
  }
}

const encoded = new WeakMap<ServerEvent, Uint8Array>()

/** An event in the wire format. All listeners share one buffer, so that unread events are in memory once. */
function encode(event: ServerEvent): Uint8Array {
  const known = encoded.get(event)
  if (known) return known
  const bytes = Buffer.from(`event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`)
  encoded.set(event, bytes)
  return bytes
}
