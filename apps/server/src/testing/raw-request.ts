import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from '@copydesk/testing'

/** A request that is written byte by byte, and the response so far. */
export type RawRequest = {
  socket: Socket
  /** The response so far. */
  answer(): string
  /** Resolves with the response's status as soon as it has arrived. */
  status(): Promise<number>
  /** Whether the server has ended the connection. */
  isOver(): boolean
}

/** Sends `text` to the server unchanged; nothing is added or normalized, as an HTTP client would do. */
export async function sendRaw(url: string, text: string): Promise<RawRequest> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  let over = false
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  // A connection that the server terminates may end with a reset.
  socket.on('error', () => undefined)
  socket.on('close', () => (over = true))
  await once(socket, 'connect')
  socket.write(text)
  const statusNow = (): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  return {
    socket,
    answer: () => answer,
    async status() {
      await until(() => statusNow() > 0 || over, 'the request is answered')
      return statusNow()
    },
    isOver: () => over,
  }
}
