import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const gathering = new Set<Duplex>()

/**
 * Sends everything written in one iteration of the event loop with one system call: after a commit a client may get an
 * acknowledgement for each of its frames and updates of others. `stream` is the stream that the WebSocket writes to.
 */
export function gatherWrites(webSocket: WebSocket, stream: Duplex): void {
  const send = webSocket.send.bind(webSocket)
  webSocket.send = (data: Parameters<WebSocket['send']>[0]) => {
    if (gathering.size === 0) setImmediate(letGo)
    if (!gathering.has(stream)) stream.cork()
    gathering.add(stream)
    send(data)
  }
  const close = webSocket.close.bind(webSocket)
  webSocket.close = (...reason: Parameters<WebSocket['close']>) => {
    close(...reason)
    // The process may end right after close.
    if (gathering.delete(stream)) stream.uncork()
  }
}

function letGo(): void {
  const streams = [...gathering]
  gathering.clear()
  for (const stream of streams) stream.uncork()
}
