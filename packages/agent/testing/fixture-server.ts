import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { listenLocally } from '@copydesk/testing'

/**
 * One recorded answer of a service. `ending` says what happens after the body: a clean end, silence, or an aborted
 * connection.
 */
export type Recorded = {
  body: string
  status?: number
  headers?: Record<string, string>
  ending?: 'end' | 'stall' | 'tear'
}

/** A request that a client sent. */
export type SeenRequest = { path: string; headers: IncomingHttpHeaders; body: unknown }

/** A local server that plays recorded answers in the given order, one for each request, and records the requests. */
export type FixtureServer = {
  origin: string
  requests: SeenRequest[]
  play(...answers: Recorded[]): void
  close(): Promise<void>
}

/**
 * Reads a recorded body from `fixtures/`. The content type follows from the file name: `.sse` is an event stream,
 * `.json` a whole answer.
 */
export function readFixture(name: string): Recorded {
  const body = readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
  const type = name.endsWith('.sse') ? 'text/event-stream; charset=utf-8' : 'application/json'
  return { body, headers: { 'content-type': type } }
}

/** Starts the server on a free port of the loopback interface. */
export async function createFixtureServer(): Promise<FixtureServer> {
  const requests: SeenRequest[] = []
  const waiting: Recorded[] = []
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      answer(response, waiting.shift() ?? { status: 500, body: '{"error":{"message":"nothing left to play"}}' })
    })
  })
  const { origin, close } = await listenLocally(server)
  return {
    origin,
    requests,
    play: (...answers) => void waiting.push(...answers),
    close,
  }
}

/** Reads a request's body as JSON; an empty body gives `undefined`. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

function answer(response: ServerResponse, { body, status, headers, ending }: Recorded): void {
  response.writeHead(status ?? 200, headers)
  // Split inside multi-byte characters, as networks do: readers must handle it.
  const bytes = Buffer.from(body)
  for (let start = 0; start < bytes.length; start += 97) response.write(bytes.subarray(start, start + 97))
  if (ending === 'stall') return
  if (ending === 'tear') {
    // Only once the body is sent, so that the client has read it.
    response.write('', () => response.destroy())
    return
  }
  response.end()
}
