import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyAwarenessUpdate, Awareness, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createPresenceStore } from './presence.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const user = (name: string) => ({ id: name, name, color: '#2f5d50', kind: 'person' })

function scene() {
  const awareness = new Awareness(new Y.Doc())
  const store = createPresenceStore(awareness)
  const heard = vi.fn<() => void>()
  store.subscribe(heard)
  const others = ['ana', 'ben', 'cleo'].map((name) => {
    const other = new Awareness(new Y.Doc())
    return { other, name }
  })
  const move = (head: number) => {
    for (const { other, name } of others) {
      other.setLocalState({ user: user(name), cursor: { anchor: head, head } })
      applyAwarenessUpdate(awareness, encodeAwarenessUpdate(other, [other.clientID]), 'server')
    }
  }
  const names = () => store.get().map(({ name }) => name)
  const close = () => {
    store.close()
    for (const each of [awareness, ...others.map(({ other }) => other)]) each.destroy()
  }
  return { awareness, store, heard, others, move, names, close }
}

test('carets that move change nothing for those who show who is here', () => {
  const { heard, move, names, store, close } = scene()
  move(0)
  vi.advanceTimersByTime(50)
  expect(names()).toEqual(['ana', 'ben', 'cleo'])
  expect(heard).toHaveBeenCalledTimes(1)
  const before = store.get()
  for (let head = 1; head < 50; head++) {
    move(head)
    vi.advanceTimersByTime(20)
  }
  vi.advanceTimersByTime(50)
  expect(heard).toHaveBeenCalledTimes(1)
  expect(store.get()).toBe(before)
  close()
})

test('a person who leaves disappears a moment later', () => {
  const { awareness, heard, others, move, names, close } = scene()
  move(0)
  vi.advanceTimersByTime(50)
  removeAwarenessStates(awareness, [others[1]!.other.clientID], 'server')
  vi.advanceTimersByTime(50)
  expect(names()).toEqual(['ana', 'cleo'])
  expect(heard).toHaveBeenCalledTimes(2)
  close()
})
