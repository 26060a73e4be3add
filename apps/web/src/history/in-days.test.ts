import type { Version } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { inDays, momentOf } from './in-days.ts'

const now = new Date(2026, 10, 21, 12)
const at = (...date: [number, number, number, number, number]): Version => ({
  id: date.join(),
  name: null,
  kind: 'automatic',
  author: { id: 'a', name: 'Ana', kind: 'person' },
  writers: [],
  createdAt: new Date(...date).toISOString(),
})

test("versions are grouped by the days of the reader's time zone", () => {
  const versions = [at(2026, 10, 21, 9, 5), at(2026, 10, 21, 0, 1), at(2026, 10, 20, 23, 59), at(2026, 10, 3, 8, 0)]
  const days = inDays([...versions, at(2025, 0, 2, 8, 0)], now)
  expect(days.map(({ title, versions: each }) => [title, each.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Tuesday, November 3', 1],
    ['Thursday, January 2, 2025', 1],
  ])
  expect(momentOf(at(2026, 10, 21, 9, 5), now)).toBe('Today, 09:05')
})
