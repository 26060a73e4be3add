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
  expect(map.found({ client: 1, clock: 12, len: 1 })).toEqual([
    { range: { client: 1, clock: 12, len: 1 }, found: true, value: 'b', offset: 2 },
  ])
  expect([4, 5].map((clock) => map.get({ client: 1, clock }))).toEqual(['a', undefined])
  expect(map.get({ client: 3, clock: 0 })).toBeUndefined()
  expect([map.end(1), map.end(3)]).toEqual([15, 0])
  expect([...map].map(({ range, value }) => [range.client, range.clock, value])).toEqual([
    [1, 2, 'a'],
    [1, 10, 'b'],
    [2, 0, 'c'],
  ])
})

test('[UNDO-13] an id keeps its first value, and a map with a join function merges adjoining ranges', () => {
  const map = new IdMap<string>((value, next) => (value === next ? value : undefined))
  map.add({ client: 1, clock: 2, len: 2 }, 'a')
  map.addNew({ client: 1, clock: 0, len: 6 }, 'b')
  map.add({ client: 1, clock: 6, len: 1 }, 'b')
  expect([...map].map(({ range, value }) => [range.clock, range.len, value])).toEqual([
    [0, 2, 'b'],
    [2, 2, 'a'],
    [4, 3, 'b'],
  ])
})
