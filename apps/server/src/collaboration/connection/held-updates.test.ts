import { expect, test } from 'vitest'
import { HeldUpdates } from './held-updates.ts'

const held = (client: number, clock: number, bytes = 10, tries = 1) => ({
  update: new Uint8Array(bytes),
  isFullSync: false,
  missing: { client, clock },
  tries,
})

const fits = (): boolean => true

test('[BAD-24] of what waits that comes first whose missing struct has come, in whatever order it was sent', () => {
  const updates = new HeldUpdates(fits)
  for (const clock of [5, 9, 3, 7]) expect(updates.add(held(1, clock))).toBe(true)
  expect(updates.add(held(2, 0))).toBe(true)
  expect(updates.takeReady(({ clock }) => clock < 3 && clock > 0)).toBeUndefined()
  const order = [3, 5, 7]
  for (const clock of order) {
    expect(updates.takeReady(({ client, clock: missing }) => client === 1 && missing < 8)?.missing).toEqual({
      client: 1,
      clock,
    })
  }
  expect(updates.takeReady(({ client }) => client === 1)?.missing.clock).toBe(9)
  expect(updates.isEmpty).toBe(false)
  expect(updates.takeReady(() => true)?.missing.client).toBe(2)
  expect(updates.isEmpty).toBe(true)
})

test('[BAD-25] so many bytes and updates wait, for so many client ids, tried so often', () => {
  const large = new HeldUpdates(fits)
  expect(large.add(held(1, 1, 8 * 1024 * 1024 - 256))).toBe(true)
  expect(large.add(held(1, 2))).toBe(false)
  const many = new HeldUpdates(fits)
  for (let count = 0; count < 20_000; count++) expect(many.add(held(1, count))).toBe(true)
  expect(many.add(held(1, 0))).toBe(false)
  many.clear()
  for (let client = 0; client < 100; client++) expect(many.add(held(client, 0))).toBe(true)
  expect(many.add(held(100, 0))).toBe(false)
  expect(new HeldUpdates(fits).add(held(1, 0, 10, 101))).toBe(false)
})

test('[BAD-25] what waits is counted with what else waits of the same people', () => {
  let all = 0
  const note = (bytes: number): boolean => (all += bytes) <= 1000
  const [one, other] = [new HeldUpdates(note), new HeldUpdates(note)]
  expect(one.add(held(1, 1, 200))).toBe(true)
  expect(other.add(held(1, 2, 200))).toBe(true)
  expect(other.add(held(1, 3, 200))).toBe(false)
  other.clear()
  one.takeReady(() => true)
  expect(all).toBe(0)
})
