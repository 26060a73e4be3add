import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, sameJson } from '../common/store.ts'
import { type ConnectionState, initialConnection } from './connection-state.ts'
import { createDebouncedState } from './saved-state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ready: ConnectionState = { ...initialConnection, opened: true, connected: true, synced: true }

function scene() {
  const state = createStore<ConnectionState>(ready, sameJson)
  const rested = createDebouncedState(state)
  const seen: string[] = []
  const leave = rested.subscribe(() => seen.push(rested.get().label))
  const type = () => {
    state.set({ ...ready, unsynced: 1, unsyncedSince: 1 })
    vi.advanceTimersByTime(30)
    state.set(ready)
    vi.advanceTimersByTime(50)
  }
  return { state, rested, seen, leave, type }
}

test('a hundred keys that are saved one by one are two changes for the eye', () => {
  const { seen, type, leave } = scene()
  for (let key = 0; key < 100; key++) type()
  expect(seen).toEqual(['Saving…'])
  vi.advanceTimersByTime(400)
  expect(seen).toEqual(['Saving…', 'Saved'])
  leave()
})

test('what is wrong is said at once, and what has waited is true when it is said', () => {
  const { state, seen, type, leave } = scene()
  type()
  state.set({ ...ready, connected: false, synced: false })
  expect(seen).toEqual(['Saving…', 'Offline'])
  state.set(ready)
  expect(seen).toEqual(['Saving…', 'Offline', 'Saved'])
  vi.advanceTimersByTime(1000)
  expect(seen).toHaveLength(3)
  leave()
})

test('what changed before the first listener is delivered to it, and a second one gets the same', () => {
  const state = createStore<ConnectionState>(ready, sameJson)
  const rested = createDebouncedState(state)
  state.set({ ...ready, unsynced: 1 })
  const heard = [vi.fn<() => void>(), vi.fn<() => void>()]
  const leave = heard.map((listener) => rested.subscribe(listener))
  expect(rested.get().label).toBe('Saving…')
  state.set(ready)
  vi.advanceTimersByTime(400)
  expect(rested.get().label).toBe('Saved')
  expect(heard[1]).toHaveBeenCalledTimes(1)
  for (const stop of leave) stop()
})
