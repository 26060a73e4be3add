import type { ServerResponse } from 'node:http'
import type { EventHub } from './event-hub.ts'
import type { ServerEvent } from './room-watch.ts'

export type EventStreamOptions = {
  hub: Pick<EventHub, 'listen'>
  document: string
  /** Headers of the answer besides the stream's own. */
  headers: Record<string, number | string | string[] | undefined>
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
const bufferedLimit = 1024 * 1024

/**
 * Writes a document's events to an HTTP answer until the reader goes, may no longer read the document, reads too slowly
 * (more than 1 MiB waits), or the server closes. Begins with a comment as soon as nothing can be missed any more.
 */
export async function streamEvents(response: ServerResponse, options: EventStreamOptions): Promise<void> {
  const { hub, document, headers, isAllowed, onRights, now, heartbeatMs = defaultHeartbeatMs } = options
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
  const write = (text: string): void => {
    if (isOver()) return
    response.write(text)
    if (response.writableLength + queued > bufferedLimit) response.destroy()
  }
  const send = (text: string): void => {
    if (isOver()) return
    const size = Buffer.byteLength(text)
    queued += size
    if (response.writableLength + queued > bufferedLimit) return void response.destroy()
    sending = sending.then(async () => {
      queued -= size
      if (isOver()) return
      if (now() - checkedAt >= recheckMs) {
        if (!(await mayStay())) return void response.end()
        checkedAt = now()
      }
      write(text)
    })
  }
  // What can't be checked isn't allowed.
  const mayStay = async (): Promise<boolean> => isAllowed().catch(() => false)
  const stopRights = onRights(() => void mayStay().then((may) => void (may || response.end())))
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMs)
  heartbeat.unref()
  const stop = await hub.listen(document, {
    event: (event) => send(format(event)),
    end: () => void response.end(),
  })
  try {
    // Rights that went while the room was read would else go unnoticed until the next event.
    if (await mayStay()) write(': listening\n\n')
    else response.end()
    if (!response.destroyed) await gone
  } finally {
    clearInterval(heartbeat)
    stopRights()
    stop()
  }
}

function format({ event, data }: ServerEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
