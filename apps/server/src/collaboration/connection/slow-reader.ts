import type { WebSocket } from 'ws'

/**
 * `limit`: the number of bytes that the client may currently leave unread. `onCaughtUp`: called when a client that was
 * too slow has read all waiting bytes. Other values are milliseconds.
 */
export type SlowReaderOptions = { limit: () => number; onCaughtUp: () => void; stuckMs?: number; pollEveryMs?: number }

/** `isSuspended`: whether sending is suspended. */
export type SlowReader = { readonly isSuspended: boolean; stop(): void }

/**
 * Limits the server memory that a slow client uses. One message is always accepted, whatever its size, so that a large
 * document gets through a slow connection. Beyond the limit, nothing more is sent. After the client has read all
 * waiting bytes, the server asks it to reconnect; it then gets all missed changes as one update. A client that reads
 * nothing for a while is disconnected.
 */
export function watchReader(socket: WebSocket, options: SlowReaderOptions): SlowReader {
  const { limit, onCaughtUp, stuckMs = 10_000, pollEveryMs = 250 } = options
  const send = socket.send.bind(socket)
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearInterval(timer)
  const suspendSending = (): void => {
    let waiting = socket.bufferedAmount
    let unchangedMs = 0
    timer = setInterval(() => {
      const now = socket.bufferedAmount
      unchangedMs = now < waiting ? 0 : unchangedMs + pollEveryMs
      waiting = now
      if (now > 0 && unchangedMs < stuckMs) return
      stop()
      if (now > 0) socket.terminate()
      else onCaughtUp()
    }, pollEveryMs)
  }
  socket.send = (data: Parameters<WebSocket['send']>[0]) => {
    if (timer !== undefined) return
    if (socket.bufferedAmount > limit()) suspendSending()
    else send(data)
  }
  return {
    get isSuspended() {
      return timer !== undefined
    },
    stop,
  }
}
