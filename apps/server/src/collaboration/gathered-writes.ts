import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const gathering = new Set<Duplex>()

/**
 * From now on what is sent in one turn of the event loop leaves in one system call: after a commit a client may get an acknowledgement for
 * each of its frames and what others wrote. `stream` is what the WebSocket writes to.
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
    // Whoever closes may end the process next.
    if (gathering.delete(stream)) stream.uncork()
  }
}

function letGo(): void {
  const streams = [...gathering]
  gathering.clear()
  for (const stream of streams) stream.uncork()
}
