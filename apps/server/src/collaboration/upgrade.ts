import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { FRAME_LIMIT } from '@copydesk/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { isOwnHost, isOwnOrigin } from '../auth/trusted-origin.ts'
import { originOf } from '../common/client-address.ts'
import type { Collaboration } from './collaboration.ts'

/**
 * Whether a request is a WebSocket upgrade. Other upgrades (such as h2c) are ignored and answered as plain requests.
 */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Lets `/collab` upgrade to WebSocket on the same port as HTTP. Browsers send an `Origin`, which must be the server's
 * own, so that no other site can use a visitor's cookie; programs send none. Answers 429 when an address makes too many
 * attempts.
 */
export function handleUpgrades(
  server: Server,
  collaboration: Collaboration,
  { publicUrl, TRUST_PROXY }: { publicUrl: string; TRUST_PROXY: number },
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_LIMIT })
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A socket error must not become an uncaught exception: the client may disconnect at any moment.
    socket.on('error', () => socket.destroy())
    const url = parseTarget(request.url)
    if (url?.pathname !== '/collab') return refuse(socket, '404 Not Found', 'WebSockets are at /collab.')
    if (!isOwnHost(request.headers.host, publicUrl) || !isOwnOrigin(request.headers, publicUrl)) {
      return refuse(
        socket,
        '403 Forbidden',
        'This page may not connect here. Set PUBLIC_URL to the address that people use.',
      )
    }
    const from = originOf(request, TRUST_PROXY)
    const asked = collaboration.checkNewSocket(from.address)
    if (!asked.ok) {
      const message = 'There are too many connections from this address. Close some, or try again later.'
      return refuse(socket, '429 Too Many Requests', message, `Retry-After: ${asked.waitSeconds}\r\n`)
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      corkWrites(webSocket, socket)
      collaboration.accept(webSocket, from, toRequest(request, url))
    })
  }
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
    sockets.close()
  }
}

const ownHost = 'http://localhost'

/** The path and query of a request, on a fixed host; the rest of a request target is not trusted. */
function parseTarget(target: string | undefined): URL | undefined {
  // Two slashes, or a slash and a backslash, introduce a host, which may equal our own and contain a password:
  // `Request` rejects such a URL.
  const url = target !== undefined && /^\/(?![/\\])/.test(target) ? URL.parse(target, ownHost) : null
  return url?.origin === ownHost ? url : undefined
}

function refuse(socket: Duplex, status: string, message: string, headers = ''): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(message)}\r\nConnection: close\r\n${headers}\r\n${message}`,
  )
}

function toRequest(request: IncomingMessage, url: URL): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return new Request(url, { headers })
}

const corked = new Set<Duplex>()

/**
 * Sends all data written in one iteration of the event loop with one system call: after a commit a client may get an
 * acknowledgement for each of its frames and updates of others. `stream` is the stream of the WebSocket.
 */
function corkWrites(webSocket: WebSocket, stream: Duplex): void {
  const send = webSocket.send.bind(webSocket)
  webSocket.send = (data: Parameters<WebSocket['send']>[0]) => {
    if (corked.size === 0) setImmediate(uncorkAll)
    if (!corked.has(stream)) stream.cork()
    corked.add(stream)
    send(data)
  }
  const close = webSocket.close.bind(webSocket)
  webSocket.close = (...reason: Parameters<WebSocket['close']>) => {
    close(...reason)
    // The process may end immediately after close.
    if (corked.delete(stream)) stream.uncork()
  }
}

function uncorkAll(): void {
  const streams = [...corked]
  corked.clear()
  for (const stream of streams) stream.uncork()
}
