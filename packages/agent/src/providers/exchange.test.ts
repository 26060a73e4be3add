import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listenLocally } from '@copydesk/testing'
import { createExchange, jsonToEventStream, parseRetryAfter } from './exchange.ts'

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  test.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '3', 'retry-after-ms': '250' }, 250],
  ])('%j', (headers, expected) => {
    expect(parseRetryAfter(new Headers(headers), now)).toBe(expected)
  })
})

describe('jsonToEventStream', () => {
  test('one event for an object, one for each element of an array, with or without a name', () => {
    expect(jsonToEventStream('{"a":\n1}')).toBe('data: {"a":1}\n\n')
    expect(jsonToEventStream('[{"a":1},{"b":2}]', 'message')).toBe(
      'event: message\ndata: {"a":1}\n\nevent: message\ndata: {"b":2}\n\n',
    )
  })

  test('an event stream with a wrong label stays as it is, and broken JSON stays broken', () => {
    expect(jsonToEventStream('data: {"a":1}\n\n')).toBe('data: {"a":1}\n\n')
    expect(jsonToEventStream('{"a":')).toBe('data: {"a":\n\n')
  })
})

test.each(['text/event-stream', 'application/json'])('an answer without end (%s) breaks off', async (type) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type })
    const more = (): void => {
      while (!response.destroyed && response.write(': and so on\n'.repeat(1000)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const { origin, close } = await listenLocally(server)
  onTestFinished(close)
  const { signal } = new AbortController()
  const exchange = createExchange({ signal, idleTimeoutMs: 60_000, receivedLimit: 1024 * 1024 })
  onTestFinished(() => exchange.close())
  const read = async (): Promise<string> => (await exchange.fetch(origin)).text()
  await expect(read()).rejects.toThrow('more than 1 MiB')
})
