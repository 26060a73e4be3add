import { expect, test } from 'vitest'
import type { OpenChange } from '../text/review-ui.ts'
import { groupChanges } from './decisions.tsx'

const change = (id: string, author: string, rest: Partial<OpenChange> = {}): OpenChange => ({
  id,
  type: 'insertion',
  before: '',
  after: 'x',
  from: 1,
  to: 2,
  author: { id: author, name: author.toUpperCase(), kind: author === 'agent' ? 'agent' : 'person' },
  ...rest,
})

test('what comes from one side is no group of its own', () => {
  expect(groupChanges([change('1', 'ana'), change('2', 'ana')], 'me')).toEqual([])
  expect(groupChanges([], 'me')).toEqual([])
})

test('groups by author and by run', () => {
  const fix = { run: 'r1', instruction: 'fix   the typos' }
  const long = { run: 'r2', instruction: 'x'.repeat(60) }
  const changes = [change('1', 'ana'), change('2', 'agent', fix), change('3', 'agent', long), change('4', 'agent', fix)]
  const groups = groupChanges(changes, 'me')
  expect(groups).toEqual([
    { label: 'ANA', count: 1, author: 'ana' },
    { label: 'AGENT', count: 3, author: 'agent' },
    { label: '“fix the typos”', count: 2, run: 'r1' },
    { label: `“${'x'.repeat(39)}…”`, count: 1, run: 'r2' },
  ])
})

test('a run that holds all of its author’s changes is not offered twice', () => {
  const fix = { run: 'r1', instruction: 'fix the typos' }
  const groups = groupChanges([change('1', 'ana'), change('2', 'agent', fix), change('3', 'agent', fix)], 'me')
  expect(groups.map(({ label }) => label)).toEqual(['ANA', 'AGENT'])
})

test('[REV-32] what others have written into is no part of a group, except for the reader’s own hand', () => {
  const hand = (id: string) => ({ alsoBy: [{ id, name: id.toUpperCase(), kind: 'person' as const }] })
  const changes = [
    change('1', 'ana'),
    change('2', 'ana', hand('mallory')),
    change('3', 'ana', hand('me')),
    change('4', 'ben', hand('mallory')),
  ]
  expect(groupChanges(changes, 'me')).toEqual([{ label: 'ANA', count: 2, left: 1, author: 'ana' }])
})
