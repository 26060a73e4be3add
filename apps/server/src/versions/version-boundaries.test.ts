import { expect, test } from 'vitest'
import { findBoundaries, longestMs, pauseMs, type RowInfo } from './version-boundaries.ts'

const minute = 60_000

/** Rows as `actor` or `agent/run`, each with its minute. */
function rowsOf(...given: readonly (readonly [minute: number, who: string])[]): RowInfo[] {
  return given.map(([at, who], index) => {
    const [actor = '', run = null] = who.split('/')
    return { seq: index + 1, at: at * minute, actor, run }
  })
}

function ends(rows: readonly RowInfo[], now: number, over: readonly string[] = []): string[] {
  const options = { now: now * minute, agent: 'agent', isOver: (run: string) => over.includes(run) }
  return findBoundaries(rows, options).map(({ seq, run }) => (run === undefined ? `${seq}` : `${seq}:${run}`))
}

test('[HIST-2] a version before every pause, one of the document as it was created, and none during writing', () => {
  expect(pauseMs).toBe(10 * minute)
  const rows = rowsOf([0, 'ana'], [1, 'ana'], [2, 'ben'], [12, 'ana'], [13, 'ana'])
  expect(ends(rows, 14)).toEqual(['1', '3'])
  expect(ends(rows, 23)).toEqual(['1', '3', '5'])
  // A second call finds no further boundaries.
  expect(ends(rows.slice(3), 14)).toEqual([])
})

test('[HIST-2] writing without a pause makes a version every half an hour', () => {
  expect(longestMs).toBe(30 * minute)
  const rows = rowsOf(...Array.from({ length: 80 }, (_, at) => [at, 'ana'] as const))
  expect(ends(rows, 80)).toEqual(['1', '31', '61'])
})

test('[HIST-3] a version before a run and one after it, also where people write meanwhile', () => {
  const rows = rowsOf([0, 'ana'], [1, 'ana'], [2, 'agent/r'], [2, 'ben'], [3, 'agent/r'], [4, 'ben'])
  expect(ends(rows, 5, ['r'])).toEqual(['1', '2', '5:r'])
})

test('[HIST-3] the version waits for a run in progress, but not for one that waits long for a person', () => {
  const rows = rowsOf([0, 'ana'], [1, 'ana'], [2, 'agent/r'], [3, 'ana'])
  expect(ends(rows, 4)).toEqual(['1', '2'])
  expect(ends(rows, 12)).toEqual(['1', '2', '3:r'])
  const later = rowsOf([0, 'ana'], [1, 'agent/r'], [2, 'ana'], [20, 'agent/r'], [21, 'ana'])
  expect(ends(later, 22, ['r'])).toEqual(['1', '2:r', '3', '4:r'])
})

test('[HIST-3] two runs at once, and what a person decides about one', () => {
  const rows = rowsOf([0, 'ana'], [1, 'agent/r'], [1, 'agent/s'], [1, 'agent/r'], [2, 'agent/s'], [3, 'ana/r'])
  expect(ends(rows, 4, ['r', 's'])).toEqual(['1', '2', '4:r', '5:s'])
})
