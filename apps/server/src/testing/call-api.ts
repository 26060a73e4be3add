import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ErrorBody } from '@copydesk/protocol'
import { until } from '@copydesk/testing'

/** A response of the API: its status and its body, whose type the test knows. */
export type Answer<T> = { status: number; body: T & ErrorBody }

/** Calls routes under one document's path as one user. */
export type ApiCaller = <T>(method: string, path: string, body?: unknown) => Promise<Answer<T>>

/**
 * A caller for `/api/documents/<document>` with this token and additional headers; a path that begins with `/api` is
 * used unchanged.
 */
export function callApi(url: string, token: string, document: string, more: Record<string, string> = {}): ApiCaller {
  return async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const address = path.startsWith('/api') ? path : `/api/documents/${document}${path}`
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...more }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(url + address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T & ErrorBody }
  }
}

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

/** Sends `text` to the server unchanged; an HTTP client would add or normalize headers. */
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
