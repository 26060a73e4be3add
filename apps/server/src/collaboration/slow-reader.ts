import type { WebSocket } from 'ws'

/** How much may wait for a client to read it, now, and what a client hears that has read on after it was too slow. */
export type SlowReaderOptions = { limit: () => number; comeBack: () => void; stuckMs?: number; lookEveryMs?: number }

/** `isBehind` says whether nothing is sent any more. */
export type SlowReader = { readonly isBehind: boolean; stop(): void }

/**
 * Keeps a client that reads slowly from filling the server's memory. One message is always taken, however large, so that a large
 * document reaches a slow line. When the limit is passed, nothing more is sent: once the client has read what waits it is told to come
 * back, and then gets what it missed as one difference; one that reads nothing at all for a while is cut off.
 */
export function watchReader(socket: WebSocket, options: SlowReaderOptions): SlowReader {
  const { limit, comeBack, stuckMs = 10_000, lookEveryMs = 250 } = options
  const send = socket.send.bind(socket)
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearInterval(timer)
  const fallBehind = (): void => {
    let waiting = socket.bufferedAmount
    let still = 0
    timer = setInterval(() => {
      const now = socket.bufferedAmount
      still = now < waiting ? 0 : still + lookEveryMs
      waiting = now
      if (now > 0 && still < stuckMs) return
      stop()
      if (now > 0) socket.terminate()
      else comeBack()
    }, lookEveryMs)
  }
  socket.send = (data: Parameters<WebSocket['send']>[0]) => {
    if (timer !== undefined) return
    if (socket.bufferedAmount > limit()) fallBehind()
    else send(data)
  }
  return {
    get isBehind() {
      return timer !== undefined
    },
    stop,
  }
}
