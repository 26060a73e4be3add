import type { ServerResponse } from 'node:http'
import type { EventHub } from './event-hub.ts'
import type { ServerEvent } from './room-watch.ts'
import type { StreamPlace } from './stream-counts.ts'

export type EventStreamOptions = {
  hub: Pick<EventHub, 'listen'>
  document: string
  /** Headers of the answer besides the stream's own. */
  headers: Record<string, number | string | string[] | undefined>
  /** Says whether too much waits for the reader; it is left by whoever took it. */
  place: Pick<StreamPlace, 'isLagging'>
  /** Whether the listener may still read the document. */
  isAllowed: () => Promise<boolean>
  /** Calls back when rights may have changed; answers what ends that. */
  onRights: (listener: () => void) => () => void
  /** For spans of time: milliseconds of a clock that nobody sets. */
  now: () => number
  heartbeatMs?: number
}

const defaultHeartbeatMs = 15_000
// Who may listen is looked at when rights change, and again before something is said, but not more often than this.
const recheckMs = 1000
const listening = Buffer.from(': listening\n\n')
const stillHere = Buffer.from(': still here\n\n')

/**
 * Writes a document's events to an HTTP answer until the reader goes, may no longer read the document, reads too slowly
 * (as `place` says), or the server closes. Begins with a comment as soon as nothing can be missed any more.
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
  // What waits for the look at who may listen, in bytes.
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
  // What can't be checked isn't allowed.
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
    // Rights that went while the room was read would else go unnoticed until the next event.
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

/**
 * An event in the wire format: the same bytes for all who are told of it, so that what waits for many of them is kept
 * once.
 */
function encode(event: ServerEvent): Uint8Array {
  const known = encoded.get(event)
  if (known) return known
  const bytes = Buffer.from(`event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`)
  encoded.set(event, bytes)
  return bytes
}
