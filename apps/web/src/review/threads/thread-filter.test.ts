import type { Thread } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { fitsFilter, threadFilters } from './thread-list.ts'

function thread(authors: string[], rest: Partial<Thread> = {}): Thread {
  const comments = authors.map((name, index) => ({
    id: `c${index}`,
    author: { id: name, name, kind: 'person' as const },
    text: 'Hm',
    createdAt: new Date(index).toISOString(),
  }))
  return { id: 't', quote: 'q', resolved: false, orphaned: false, comments, ...rest }
}

const filtersOf = (given: Thread) =>
  threadFilters.flatMap(({ filter }) => (fitsFilter(given, filter, 'ana') ? [filter] : []))

test('an open thread is at its place in the order', () => {
  expect(filtersOf(thread(['ben']))).toEqual(['open', 'unanswered'])
  expect(filtersOf(thread(['ben', 'ben']))).toEqual(['open', 'unanswered'])
  expect(filtersOf(thread(['ben', 'ana']))).toEqual(['open', 'mine'])
  expect(filtersOf(thread(['ben', 'cleo'], { orphaned: true }))).toEqual(['open', 'orphaned'])
})

test('a resolved thread is only among the resolved ones', () => {
  expect(filtersOf(thread(['ana'], { resolved: true, orphaned: true }))).toEqual(['resolved'])
})
