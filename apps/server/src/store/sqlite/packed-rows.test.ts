import { expect, test } from 'vitest'
import { packRows, unpackRows } from './packed-rows.ts'
import type { AppendRow } from './sqlite-protocol.ts'

const sent = new Uint8Array(64 * 1024).map((_, index) => index % 251)
const row = (from: number, to: number, more: Partial<AppendRow> = {}): AppendRow => ({
  name: 'doc',
  bytes: sent.subarray(from, to),
  actor: 'ana',
  run: null,
  epoch: null,
  at: from,
  also: [],
  ...more,
})

test('rows come out as they went in', () => {
  const also = [{ sql: 'DELETE FROM x WHERE y = ?', parameters: ['z'] }]
  const rows = [row(3, 9), row(9, 9), row(100, 260, { name: 'other', run: 'run', epoch: 2, also })]
  expect([...unpackRows(structuredClone(packRows(rows)))]).toEqual(rows)
})

test('what travels is what the updates hold, not the buffers that they came in', () => {
  const { bytes } = packRows(Array.from({ length: 100 }, (_, index) => row(index * 10, index * 10 + 10)))
  expect(bytes.buffer.byteLength).toBe(1000)
})
