import type { Message, Run } from '@copydesk/protocol'
import { roomTypes } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { putMessage, putRun } from './room.ts'

const time = (index: number): string => new Date(1_700_000_000_000 + index * 1000).toISOString()

function run(id: string, change: Partial<Run> = {}): Run {
  return {
    id,
    documentId: 'd',
    status: 'running',
    trigger: { kind: 'chat', id: 'm' },
    instruction: 'fix it',
    invokedBy: { id: 'ana', name: 'Ana', kind: 'person' },
    mode: 'edit',
    rounds: 0,
    maxRounds: 8,
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    createdAt: time(0),
    ...change,
  }
}

function message(id: string, change: Partial<Message> = {}): Message {
  const author = { id: 'ana', name: 'Ana', kind: 'person' } as const
  return { id, role: 'user', author, text: 'hello', status: 'complete', createdAt: time(0), ...change }
}

const step = {
  id: 's1',
  tool: 'find',
  arguments: { query: 'x' },
  status: 'running',
  summary: '',
  startedAt: time(1),
} as const

function countUpdates(room: Y.Doc, change: () => void): number[] {
  const sizes: number[] = []
  const note = (update: Uint8Array): void => void sizes.push(update.byteLength)
  room.on('update', note)
  change()
  room.off('update', note)
  return sizes
}

test('[ROOM-1] a run reads back as it was put, and putting it again writes nothing', () => {
  const room = new Y.Doc()
  const put = run('r', { steps: [step] })
  putRun(room, put)
  expect(room.getMap(roomTypes.runs).toJSON()).toEqual({ r: put })
  expect(countUpdates(room, () => putRun(room, structuredClone(put)))).toEqual([])
})

test('[ROOM-2] only what differs in a run is written, and what is gone is removed', () => {
  const room = new Y.Doc()
  putRun(room, run('r', { instruction: 'long '.repeat(1000), steps: [step], notice: 'gone in a moment' }))
  const ended = run('r', { instruction: 'long '.repeat(1000), status: 'completed', steps: [{ ...step, status: 'ok' }] })
  const [size, ...more] = countUpdates(room, () => putRun(room, ended))
  expect(size).toBeLessThan(300)
  expect(more).toEqual([])
  expect(room.getMap(roomTypes.runs).toJSON()).toEqual({ r: ended })
})

test('[ROOM-3] a message that grows is written as an append; one that changes is replaced', () => {
  const room = new Y.Doc()
  const text = 'word '.repeat(1000)
  putMessage(room, message('m', { text, status: 'streaming' }))
  const [size] = countUpdates(room, () => putMessage(room, message('m', { text: `${text}more`, status: 'streaming' })))
  expect(size).toBeLessThan(60)
  putMessage(room, message('m', { text: 'other' }))
  expect(room.getArray(roomTypes.messages).toJSON()).toEqual([message('m', { text: 'other' })])
  expect(countUpdates(room, () => putMessage(room, message('m', { text: 'other' })))).toEqual([])
})

test('[ROOM-4] the room keeps the last 200 messages', () => {
  const room = new Y.Doc()
  for (let index = 0; index < 210; index++) putMessage(room, message(`m${index}`))
  const ids = (room.getArray(roomTypes.messages).toJSON() as Message[]).map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => `m${index + 10}`))
})

test('[ROOM-5] the room keeps 100 runs that are over, the newest, and all that are going', () => {
  const room = new Y.Doc()
  putRun(room, run('going'))
  for (let index = 0; index < 120; index++)
    putRun(room, run(`r${index}`, { status: 'completed', createdAt: time(index + 1) }))
  const ids = Object.keys(room.getMap(roomTypes.runs).toJSON())
  expect(ids).toHaveLength(101)
  expect(ids).toContain('going')
  expect(ids).toContain('r119')
  expect(ids).not.toContain('r19')
})
