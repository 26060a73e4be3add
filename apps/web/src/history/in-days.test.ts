import type { Version } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { inDays, formatSavedAt } from './in-days.ts'
import { describeVersion } from './version-texts.ts'

const now = new Date(2026, 10, 21, 12)
const at = (...date: [number, number, number, number, number]): Version => ({
  id: date.join(),
  name: null,
  kind: 'automatic',
  author: { id: 'a', name: 'Ana', kind: 'person' },
  writers: [],
  createdAt: new Date(...date).toISOString(),
})

test("[HIST-13] versions are grouped by the days of the reader's time zone, and those close to each other", () => {
  const versions = [
    at(2026, 10, 21, 9, 5),
    at(2026, 10, 21, 8, 30),
    { ...at(2026, 10, 21, 8, 20), name: 'Draft' },
    at(2026, 10, 21, 8, 10),
    at(2026, 10, 21, 0, 1),
    at(2026, 10, 20, 23, 59),
    at(2026, 10, 3, 8, 0),
    at(2025, 0, 2, 8, 0),
  ]
  const days = inDays(versions, now)
  expect(days.map(({ title, entries }) => [title, entries.map((entry) => entry.versions.length)])).toEqual([
    ['Today', [2, 1, 1, 1]],
    ['Yesterday', [1]],
    ['Tuesday, November 3', [1]],
    ['Thursday, January 2, 2025', [1]],
  ])
  expect(days[0]?.entries[0]?.before).toBe(versions[2])
  expect(days.at(-1)?.entries[0]?.before).toBeUndefined()
  expect(formatSavedAt(at(2026, 10, 21, 9, 5), now)).toBe('Today, 09:05')
})

test('[HIST-13] an entry says what happened', () => {
  const plain = at(2026, 10, 21, 9, 5)
  const ana = { id: 'a', name: 'Ana', kind: 'person' as const }
  const agent = { id: 'agent', name: 'Agent', kind: 'agent' as const }
  const written = { ...plain, writers: [ana, { ...ana, id: 'b', name: 'Ben' }] }
  const known = { paragraphs: 3, isFirst: false }
  expect(describeVersion(written, known)).toEqual({ title: 'Ana and Ben: 3 paragraphs' })
  expect(describeVersion(written, { ...known, paragraphs: 1 })).toEqual({ title: 'Ana and Ben: 1 paragraph' })
  expect(describeVersion(written, { ...known, paragraphs: undefined })).toEqual({ title: 'Ana and Ben' })
  expect(describeVersion(plain, { ...known, isFirst: true })).toEqual({ title: 'Created by Ana' })
  const run = { id: 'r', instruction: 'Fix typos', invokedBy: ana, createdAt: plain.createdAt }
  expect(describeVersion({ ...plain, kind: 'run', run, writers: [agent] }, known)).toEqual({
    title: 'Agent: Fix typos',
    detail: 'Asked by Ana',
  })
  const restored = { id: 'x', name: 'Draft', createdAt: plain.createdAt }
  expect(describeVersion({ ...plain, kind: 'restore', restored }, known)).toEqual({ title: 'Ana restored “Draft”' })
  expect(describeVersion({ ...written, name: 'For the board' }, known)).toEqual({
    title: 'For the board',
    detail: 'Ana and Ben: 3 paragraphs',
  })
})
