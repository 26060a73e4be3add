import { expect, test, vi } from 'vitest'
import { createEditingMode, type EditingModeOptions } from './editing-mode.ts'
import * as tools from './tracker.ts'

function setUp(kept?: string, load: EditingModeOptions['load'] = () => Promise.resolve(tools)) {
  const entries = new Map(kept === undefined ? [] : [['copydesk mode d1', kept]])
  const memory = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
  const onFailure = vi.fn<(error: unknown) => void>()
  return { entries, onFailure, mode: createEditingMode('d1', { memory, load, onFailure }) }
}

test('begins with editing, and remembers what was chosen', () => {
  const { mode, entries } = setUp()
  expect(mode.get()).toBe('editing')
  mode.set('viewing')
  expect(mode.get()).toBe('viewing')
  expect(entries.get('copydesk mode d1')).toBe('viewing')
  expect(setUp('nonsense').mode.get()).toBe('editing')
})

test('suggests only once it can', async () => {
  const { mode } = setUp()
  mode.set('suggesting')
  expect(mode.get()).toBe('editing')
  await expect.poll(() => mode.get()).toBe('suggesting')
  expect(mode.tools()).toBe(tools)
})

test('a person who was suggesting can write nothing untracked before that', async () => {
  const { mode } = setUp('suggesting')
  expect(mode.get()).toBe('viewing')
  await expect.poll(() => mode.get()).toBe('suggesting')
})

test('another choice meanwhile is kept, and a failure is reported', async () => {
  const { mode } = setUp()
  mode.set('suggesting')
  mode.set('viewing')
  await expect.poll(() => mode.tools()).toBe(tools)
  expect(mode.get()).toBe('viewing')
  const failing = setUp(undefined, () => Promise.reject(new Error('offline')))
  failing.mode.set('suggesting')
  await expect.poll(() => failing.onFailure.mock.calls.length).toBe(1)
  expect(failing.mode.get()).toBe('editing')
})
