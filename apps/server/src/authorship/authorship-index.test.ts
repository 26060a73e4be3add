import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { cpuTimeOf } from '../testing/cpu-time.ts'
import type { DatedRow } from '../provenance/log-rows.ts'
import { createLogScene, fragmentOf, paragraph, textAt } from '../testing/log-scene.ts'
import { AuthorshipIndex } from './authorship-index.ts'

const start = Date.UTC(2026, 0, 5, 12)

function read(rows: readonly DatedRow[]) {
  const authorship = new AuthorshipIndex()
  authorship.apply(rows)
  return authorship
    .ranges()
    .map(({ from, to, actor, run }) => [from, to, run === undefined ? actor : `${actor} ${run}`])
}

test('[AUTHOR-2] the first sender of an id is its author, and text that undo copies keeps its author', () => {
  const scene = createLogScene(['one two', 'three'])
  const run = scene.join('r1')
  textAt(run, 0).delete(0, 3)
  textAt(run, 0).insert(0, 'ONE')
  scene.endStep('r1', 's1')
  const rows = () => scene.rows.map((row) => ({ ...row, at: start }))
  expect(read(rows())).toEqual([
    [1, 4, 'agent r1'],
    [4, 8, 'ana'],
    [10, 15, 'ana'],
  ])
  scene.make('r1', [{ run: 'r1', step: 's1' }])
  expect(scene.texts()).toEqual(['one two', 'three'])
  expect(read(rows())).toEqual([
    [1, 8, 'ana'],
    [10, 15, 'ana'],
  ])
  scene.make('r1', [])
  expect(read(rows())[0]).toEqual([1, 4, 'agent r1'])
})

test('[AUTHOR-8] whole paragraphs that the agent moves keep their authors', () => {
  const scene = createLogScene(['one two', 'three', 'last'])
  textAt(scene.join('r0'), 0).insert(4, 'and ')
  const run = scene.join('r1')
  run.transact(() => {
    fragmentOf(run).insert(3, [paragraph('one and two'), paragraph('three')])
    fragmentOf(run).delete(0, 2)
    textAt(run, 0).insert(4, ' of all')
  })
  expect(scene.texts()).toEqual(['last of all', 'one and two', 'three'])
  expect(read(scene.rows.map((row) => ({ ...row, at: start })))).toEqual([
    [1, 5, 'ana'],
    [5, 12, 'agent r1'],
    [14, 18, 'ana'],
    [18, 22, 'agent r0'],
    [22, 25, 'ana'],
    [27, 32, 'ana'],
  ])
})

test('[AUTHOR-5] rows that come later are read on top of those before, and merged rows of one author say the same', () => {
  const scene = createLogScene(['one'])
  const ben = scene.join()
  for (const letter of 'hello') textAt(ben, 0).insert(0, letter)
  const run = scene.join('r2')
  fragmentOf(run).insert(1, [paragraph('by the agent')])
  const rows = scene.rows.map((row) => ({ ...row, at: start }))
  const whole = read(rows)
  const pieces = new AuthorshipIndex()
  for (const row of rows) pieces.apply([row])
  expect(pieces.ranges().map(({ from, to }) => [from, to])).toEqual(whole.map(([from, to]) => [from, to]))
  const people = rows.filter((row) => row.run === null)
  const merged: DatedRow = { ...people[0]!, bytes: Y.mergeUpdates(people.map(({ bytes }) => bytes)) }
  expect(read([merged, ...rows.filter((row) => row.run !== null)])).toEqual(whole)
})

test('[AUTHOR-6] what one author writes on one day is one range with its newest moment; another day begins another', () => {
  const scene = createLogScene(['a'])
  const ben = scene.join()
  for (const letter of 'bcd') textAt(ben, 0).insert(textAt(ben, 0).length, letter)
  const day = 24 * 60 * 60 * 1000
  const at = [0, 1000, 2000, day]
  const authorship = new AuthorshipIndex()
  authorship.apply(scene.rows.map((row, index) => ({ ...row, at: start + (at[index] ?? 0) })))
  expect(authorship.ranges().map(({ from, to, at: when }) => [from, to, Date.parse(when) - start])).toEqual([
    [1, 4, 2000],
    [4, 5, day],
  ])
})

test('[AUTHOR-7] 20,000 keystrokes of three people are read in one pass', () => {
  const rows: DatedRow[] = []
  const docs = [1, 2, 3].map((client) => {
    const doc = new Y.Doc()
    doc.clientID = client
    return doc
  })
  fragmentOf(docs[0]!).insert(
    0,
    Array.from({ length: 200 }, () => paragraph('x')),
  )
  const seed = Y.encodeStateAsUpdate(docs[0]!)
  rows.push({ seq: 1, bytes: seed, actor: 'person 0', run: null, at: start })
  docs.forEach((doc, index) => {
    Y.applyUpdate(doc, seed)
    doc.on('update', (bytes: Uint8Array) => {
      rows.push({ seq: rows.length + 1, bytes, actor: `person ${index}`, run: null, at: start })
    })
  })
  const typing = cpuTimeOf(() => {
    for (let key = 0; rows.length < 20_000; key++) {
      const text = textAt(docs[Math.floor(key / 7) % 3]!, (key * 31) % 200)
      text.insert(text.length, 'y')
    }
  })
  const authorship = new AuthorshipIndex()
  let ranges: ReturnType<AuthorshipIndex['ranges']> = []
  const reading = cpuTimeOf(() => {
    authorship.apply(rows)
    ranges = authorship.ranges()
  })
  expect(ranges.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(200 + rows.length - 1)
  // Quadratic time in the length of the log would be hundreds of times as much.
  expect(reading).toBeLessThan(3 * typing)
})
