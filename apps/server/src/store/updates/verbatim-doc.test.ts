import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { cpuTimeOf } from '../../testing/cpu-time.ts'
import { applyUpdates } from './verbatim-doc.ts'

test('[LOG-16] a long log of keystrokes is applied in one transaction, in far less time than it took to type', () => {
  const source = new Y.Doc()
  const updates: Uint8Array[] = []
  source.on('update', (update: Uint8Array) => updates.push(update))
  const text = source.getText('t')
  // Typed at distant positions, so that Yjs can't merge items of neighbouring rows.
  const typing = cpuTimeOf(() => {
    for (let index = 0; index < 20_000; index++) text.insert((index * 7919) % (text.length + 1), 'x')
  })
  const doc = new Y.Doc()
  let transactions = 0
  doc.on('afterTransaction', () => void (transactions += 1))
  expect(cpuTimeOf(() => applyUpdates(doc, updates))).toBeLessThan(typing)
  expect(transactions).toBe(1)
  expect(doc.getText('t').toJSON()).toBe(text.toJSON())
})

test('[LOG-16] an update that can’t be read is an error', () => {
  expect(() => applyUpdates(new Y.Doc(), [new Uint8Array([1, 1, 255])])).toThrow(/end of array/i)
})
