import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import type { EventListener } from './event-hub.ts'
import { streamEvents } from './event-stream.ts'
import { defaultStreamLimits, StreamCounts, type StreamLimits } from './stream-counts.ts'

const origin = { address: '10.0.0.1', distinguishesCallers: true }

let server: Server
let listener: EventListener | undefined
let response: ServerResponse | undefined
let stopped: number
let allowed: boolean | Promise<boolean>
let clock: number
let done: Promise<void>
let listeners: EventListener[]
let responses: ServerResponse[]
let limits: StreamLimits

beforeEach(async () => {
  ;[listener, response, stopped, allowed, clock] = [undefined, undefined, 0, true, 0]
  ;[listeners, responses] = [[], []]
  limits = defaultStreamLimits
  let counts: StreamCounts | undefined
  const hub = {
    async listen(_: string, given: EventListener) {
      listener = given
      listeners.push(given)
      return () => void stopped++
    },
  }
  server = createServer((_, raw) => {
    response = raw
    responses.push(raw)
    counts ??= new StreamCounts(limits)
    const entered = counts.enter({ kind: 'person', user: { id: 'ana', name: 'Ana', color: '#000000' } }, origin)
    if (!entered.ok) throw new Error('there is no room for another stream')
    const { place } = entered
    const options = { hub, document: 'd', headers: { 'x-given': 'yes' }, place, isAllowed: async () => allowed }
    done = streamEvents(raw, { onRights: () => () => undefined, ...options, now: () => clock, heartbeatMs: 20 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await done
})

type Reader = { answer: IncomingMessage; text(): string; ended(): boolean }

async function read(): Promise<Reader> {
  const { port } = server.address() as AddressInfo
  const answer = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve))
  let text = ''
  let ended = false
  answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
  answer.on('close', () => (ended = true))
  answer.on('error', () => (ended = true))
  return { answer, text: () => text, ended: () => ended }
}

test('[EVENT-6] events in the wire format, headers that keep proxies from holding them back, and a heartbeat', async () => {
  const reader = await read()
  expect(reader.answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-given': 'yes',
  })
  await until(() => reader.text().startsWith(': listening\n\n'), 'it says that it listens')
  listener?.event({ event: 'run', data: { id: 'r', answer: 'two\nlines' } })
  await until(
    () => reader.text().includes('event: run\ndata: {"id":"r","answer":"two\\nlines"}\n\n'),
    'the event is here',
  )
  await until(() => reader.text().includes(': still here\n\n'), 'the heartbeat is here')
})

test('[EVENT-7] it ends when the reader goes, and when they may no longer read', async () => {
  const reader = await read()
  await until(() => listener !== undefined, 'it listens')
  reader.answer.destroy()
  await done
  expect(stopped).toBe(1)

  const other = await read()
  await until(() => other.text().includes('listening'), 'it listens')
  allowed = false
  clock = 5000
  listener?.event({ event: 'run', data: 'secret' })
  await until(() => other.ended(), 'it has ended')
  expect(other.text()).not.toContain('secret')
})

test('[EVENT-7] it ends when the hub does', async () => {
  const reader = await read()
  await until(() => reader.text().includes('listening'), 'it listens')
  listener?.end()
  await until(() => reader.ended(), 'it has ended')
  await done
  expect(stopped).toBe(1)
})

test('[EVENT-8] a reader who is too slow is cut off instead of filling the memory', async () => {
  const reader = await read()
  await until(() => listener !== undefined, 'it listens')
  reader.answer.pause()
  const data = 'x'.repeat(200_000)
  await until(() => {
    listener?.event({ event: 'message', data })
    return response?.destroyed === true
  }, 'it is cut off')
  expect(response?.writableLength).toBeLessThan(3_000_000)
})

test('[EVENT-8] what waits while it is looked up who may listen counts too', async () => {
  const reader = await read()
  await until(() => reader.text().includes('listening'), 'it listens')
  let answer = (): void => undefined
  allowed = new Promise<boolean>((resolve) => (answer = () => resolve(true)))
  clock = 5000
  const data = 'x'.repeat(200_000)
  for (let count = 0; count < 5; count++) listener?.event({ event: 'message', data })
  expect(response?.destroyed).toBe(false)
  listener?.event({ event: 'message', data })
  expect(response?.destroyed).toBe(true)
  answer()
  await until(() => reader.ended(), 'it has ended')
  expect(reader.text()).not.toContain('xxx')
})

test('[EVENT-8] what has waited and was sent does not count any more', async () => {
  const reader = await read()
  await until(() => reader.text().includes('listening'), 'it listens')
  const data = 'x'.repeat(200_000)
  for (let count = 1; count <= 10; count++) {
    clock += 5000
    listener?.event({ event: 'message', data })
    await until(() => reader.text().length > count * data.length, 'it is here')
  }
  expect(reader.ended()).toBe(false)
})

test('[EVENT-10] an event is encoded once for all listeners', async () => {
  const readers = await Promise.all([read(), read(), read()])
  await until(() => readers.every((reader) => reader.text().includes('listening')), 'they listen')
  let times = 0
  const data = { toJSON: () => ({ times: ++times }) }
  const event = { event: 'message' as const, data }
  for (const each of listeners) each.event(event)
  await until(() => readers.every((reader) => reader.text().includes('data: {"times":1}')), 'all have it')
  expect(times).toBe(1)
})

test("[EVENT-11] the unread data of a group's streams has a limit: a lagging stream is closed, the others continue", async () => {
  limits = { ...defaultStreamLimits, account: { streams: 50, unread: 2_000_000 } }
  const readers = await Promise.all(Array.from({ length: 20 }, () => read()))
  await until(() => readers.every((reader) => reader.text().includes('listening')), 'they listen')
  const slow = readers.slice(1)
  for (const { answer } of slow) answer.pause()
  const open = (): ServerResponse[] => responses.filter(({ destroyed }) => !destroyed)
  const unread = (): number => open().reduce((sum, { writableLength }) => sum + writableLength, 0)
  let most = 0
  let sent = 0
  await until(async () => {
    const before = readers[0]!.text().length
    const event = { event: 'message' as const, data: 'x'.repeat(50_000) }
    for (const each of listeners) each.event(event)
    sent += 1
    most = Math.max(most, unread())
    await until(() => readers[0]!.text().length >= before + 50_000, 'who reads has it')
    return open().length < 20
  }, 'one that lags is cut off')
  for (let count = 0; count < 30; count++) {
    const before = readers[0]!.text().length
    for (const each of listeners) each.event({ event: 'message', data: 'x'.repeat(50_000) })
    most = Math.max(most, unread())
    await until(() => readers[0]!.text().length >= before + 50_000, 'who reads has it')
  }
  expect(readers[0]!.ended()).toBe(false)
  // No reader alone had left 1 MiB unread when the first was disconnected.
  expect(most).toBeLessThan(4_000_000)
  expect(sent).toBeGreaterThan(0)
})
