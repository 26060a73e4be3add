import { roomTypes } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createRoomStore } from './room-store.ts'

const author = { id: 'ana', name: 'Ana', kind: 'person' }
const createdAt = '2026-11-21T12:00:00.000Z'
const thread = { id: 't1', quote: 'text', resolved: false, orphaned: false, comments: [] }

test('follows threads, changes and highlights, and leaves out what it can’t read', () => {
  const room = new Y.Doc()
  const store = createRoomStore(room)
  room.getMap(roomTypes.threads).set('t1', thread)
  room.getMap(roomTypes.changes).set('c1', { id: 'c1', author, createdAt })
  room.getMap(roomTypes.changes).set('odd', { id: 7 })
  room.getMap(roomTypes.highlights).set('h1', 'no highlight')
  expect(store.get().threads.get('t1')).toEqual(thread)
  expect([...store.get().changes.keys()]).toEqual(['c1'])
  expect(store.get().highlights.size).toBe(0)
})

test('keeps the identity of what hasn’t changed, and forgets nothing of what has', () => {
  const room = new Y.Doc()
  const threads = room.getMap(roomTypes.threads)
  threads.set('t1', thread)
  threads.set('t2', { ...thread, id: 't2' })
  const store = createRoomStore(room)
  const before = store.get()
  threads.set('t2', { ...thread, id: 't2', resolved: true })
  expect(store.get().threads.get('t1')).toBe(before.threads.get('t1'))
  expect(store.get().threads.get('t2')?.resolved).toBe(true)
  expect(store.get().runs).toBe(before.runs)
  store.close()
  threads.delete('t1')
  expect(store.get().threads.has('t1')).toBe(true)
})
