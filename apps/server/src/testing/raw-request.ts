import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

/** A request that is written byte by byte, and what has come back of it. */
export type RawRequest = {
  socket: Socket
  /** What has come back so far. */
  answer(): string
  /** The status of the answer, as soon as there is one. */
  status(): Promise<number>
  /** Whether the server has ended the connection. */
  isOver(): boolean
}

/** Sends this to the server as it is; nothing that a client would add or tidy up. */
export async function sendRaw(url: string, text: string): Promise<RawRequest> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  let over = false
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  // A connection that the server cuts may end with a reset.
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
