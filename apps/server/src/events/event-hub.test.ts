import { roomName } from '@copydesk/schema'
import type { Message, Run } from '@copydesk/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { putMessage, putRun } from '../room/room.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { EventHub, type EventListener } from './event-hub.ts'
import { appliedUpdate, publishDocUpdate } from './publish.ts'
import type { ServerEvent } from './room-watch.ts'

let context: TestStore
let hub: EventHub
let document: string
const troubles: unknown[] = []

beforeEach(async () => {
  context = await openTestStore()
  hub = new EventHub({ ...context, onError: (error) => troubles.push(error) })
  document = (await context.documents.create('ana', { markdown: 'text' })).id
})
afterEach(async () => {
  hub.close()
  await context.dispose()
})

const author = { id: 'agent', name: 'Agent', kind: 'agent' as const }
const createdAt = new Date(0).toISOString()

function message(id: string, text: string, status: Message['status'] = 'complete'): Message {
  return { id, role: 'agent', author, text, status, createdAt }
}

function run(status: Run['status']): Run {
  const usage = { inputTokens: 0, outputTokens: 0 }
  const trigger = { kind: 'chat' as const, id: 'm' }
  const shared = { documentId: document, instruction: 'do', mode: 'edit' as const, rounds: 0, maxRounds: 8, steps: [] }
  return { id: 'r', status, trigger, invokedBy: { ...author, kind: 'person' }, usage, createdAt, ...shared }
}

function listener(): EventListener & { events: ServerEvent[]; ended: number } {
  const heard = {
    events: [] as ServerEvent[],
    ended: 0,
    event: (event: ServerEvent) => void heard.events.push(event),
    end: () => void heard.ended++,
  }
  return heard
}

async function write(change: (room: import('yjs').Doc) => void): Promise<void> {
  await context.writer.write(roomName(document), { actor: 'server' }, ({ doc }) => change(doc))
}

test('[EVENT-1] each room write tells the runs and messages that it changed, whole and once; what was there before is not told', async () => {
  await write((room) => putMessage(room, message('old', 'before')))
  const heard = listener()
  await hub.listen(document, heard)
  await write((room) => {
    putRun(room, run('queued'))
    putMessage(room, message('m', 'hello'))
  })
  await until(() => heard.events.length === 2, 'both get it')
  expect(heard.events).toEqual([
    { event: 'run', data: run('queued') },
    { event: 'message', data: message('m', 'hello') },
  ])
  await write((room) => putRun(room, run('completed')))
  await until(() => heard.events.length === 3, 'the end of the run is published')
  expect(heard.events[2]).toEqual({ event: 'run', data: run('completed') })
})

test('[EVENT-2] a message that is being written is published at intervals, and at its end at once', async () => {
  const heard = listener()
  await hub.listen(document, heard)
  const said = 'word '.repeat(30)
  for (let length = 5; length <= said.length; length += 5) {
    await write((room) => putMessage(room, message('m', said.slice(0, length), 'streaming')))
  }
  await write((room) => putMessage(room, message('m', said)))
  await until(() => heard.events.at(-1)?.data !== undefined, 'something is published')
  await until(() => JSON.stringify(heard.events.at(-1)).includes('complete'), 'the end is published')
  expect(heard.events.at(-1)).toEqual({ event: 'message', data: message('m', said) })
  expect(heard.events.length).toBeLessThan(30)
})

test('[EVENT-3] rows that were missed are read from the log', async () => {
  const heard = listener()
  const signals = {
    subscribe: (tell: Parameters<typeof context.signals.subscribe>[0]) => {
      let count = 0
      return context.signals.subscribe((signal) => {
        if (signal.kind !== 'log' || ++count % 2 === 0) tell(signal)
      })
    },
  }
  const deaf = new EventHub({ ...context, signals, onError: (error) => troubles.push(error) })
  await deaf.listen(document, heard)
  await write((room) => putMessage(room, message('a', 'one')))
  await write((room) => putMessage(room, message('b', 'two')))
  await until(() => heard.events.length === 2, 'both get it')
  expect(heard.events.map(({ data }) => (data as Message).id)).toEqual(['a', 'b'])
  deaf.close()
})

test('[EVENT-4] doc_update goes to those who listen to that document', async () => {
  const heard = listener()
  await hub.listen(document, heard)
  const update = { operation: 'replace' as const, sectionIndex: 2, title: 'Scope', content: '<p>x</p>' }
  publishDocUpdate(context.signals, 'another', update, 'r')
  publishDocUpdate(context.signals, document, update, 'r')
  expect(heard.events).toEqual([{ event: 'doc_update', data: { ...update, run: 'r' } }])
})

test('[EVENT-4] of a tool call only what was applied is published', () => {
  const update = { operation: 'append' as const, sectionIndex: 0, content: '<p>x</p>' }
  expect(appliedUpdate({ update, blocks: [] })).toEqual(update)
  expect(appliedUpdate({ update, changeIds: ['c'] })).toBeUndefined()
  expect(appliedUpdate({ blocks: [] })).toBeUndefined()
  expect(appliedUpdate(undefined)).toBeUndefined()
})

test('[EVENT-5] a removed listener gets no more events, and all listeners get the end', async () => {
  const [first, second] = [listener(), listener()]
  const stop = await hub.listen(document, first)
  await hub.listen(document, second)
  stop()
  await write((room) => putMessage(room, message('m', 'hello')))
  await until(() => second.events.length === 1, 'the other hears it')
  expect(first.events).toEqual([])
  hub.close()
  hub.close()
  expect([first.ended, second.ended]).toEqual([0, 1])
  const late = listener()
  await hub.listen(document, late)
  expect(late.ended).toBe(1)
})

test('[EVENT-5] a room that can not be read ends its listeners', async () => {
  const heard = listener()
  await hub.listen('no-such-document', heard)
  expect(heard.ended).toBeGreaterThan(0)
  expect(troubles).toHaveLength(1)
})
