import type { Session } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.dispose())

type Stream = { status: number; answer: Response; leave: () => void }

async function follow({ token }: Session, document: string): Promise<Stream> {
  const controller = new AbortController()
  const answer = await fetch(`${server.url}/api/documents/${document}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: controller.signal,
  })
  return { status: answer.status, answer, leave: () => controller.abort() }
}

test('[EVENT-9] a person follows 50 streams and no more, until one of them ends; others are not counted with them', async () => {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const documents = [await server.create(ana, 'one'), await server.create(ana, 'two')]
  const [one, two] = documents.map(({ id }) => id) as [string, string]
  const streams = await Promise.all(Array.from({ length: 50 }, (_, index) => follow(ana, index % 2 === 0 ? one : two)))
  expect(streams.map(({ status }) => status)).toEqual(Array<number>(50).fill(200))
  const more = await follow(ana, one)
  expect(more.status).toBe(429)
  expect(await more.answer.json()).toEqual({
    error: {
      code: 'rate_limited',
      message: expect.stringContaining('50') as string,
      hint: expect.any(String) as string,
    },
  })
  const bens = await follow(ben, one)
  expect(bens.status).toBe(200)
  // Existing streams still receive events.
  const reader = streams[1]!.answer.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toContain(': listening')
  streams[0]!.leave()
  await until(async () => {
    const again = await follow(ana, one)
    if (again.status === 200) streams.push(again)
    return again.status === 200
  }, 'there is room again')
  expect((await follow(ana, two)).status).toBe(429)
  for (const { leave } of [...streams, bens]) leave()
})
