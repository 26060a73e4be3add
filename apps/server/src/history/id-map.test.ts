import { expect, test } from 'vitest'
import { IdMap } from './id-map.ts'

test('[UNDO-13] a range is cut where what is known changes, in whatever order it was added', () => {
  const map = new IdMap<string>()
  map.add({ client: 1, clock: 10, len: 5 }, 'b')
  map.add({ client: 1, clock: 2, len: 3 }, 'a')
  map.add({ client: 2, clock: 0, len: 9 }, 'c')
  map.add({ client: 1, clock: 99, len: 0 }, 'nothing')
  const pieces = map.pieces({ client: 1, clock: 0, len: 20 })
  expect(pieces.map(({ range, ...piece }) => [range.clock, range.len, piece.found && piece.value])).toEqual([
    [0, 2, false],
    [2, 3, 'a'],
    [5, 5, false],
    [10, 5, 'b'],
    [15, 5, false],
  ])
  expect(map.pieces({ client: 1, clock: 12, len: 1 })).toEqual([
    { range: { client: 1, clock: 12, len: 1 }, found: true, value: 'b', offset: 2 },
  ])
  expect([map.get(1, 4), map.get(1, 5), map.get(3, 0)]).toEqual(['a', undefined, undefined])
  expect(map.rangesWith((value) => value === 'c')).toEqual([{ client: 2, clock: 0, len: 9 }])
})
