import { expect, test } from 'vitest'
import { findAuthors } from './authored-ranges.ts'

const day = '2026-01-05T10:00:00.000Z'
const later = '2026-01-05T11:00:00.000Z'
const tomorrow = '2026-01-06T10:00:00.000Z'
const own = { client: 9, actor: 'me' }

test('cuts spans where their author changes and joins what one author wrote on a day', () => {
  const ids = [
    { client: 1, clock: 0, length: 5, actor: 'ana', at: day },
    { client: 1, clock: 5, length: 5, actor: 'agent', run: 'r', at: day },
    { client: 2, clock: 0, length: 3, actor: 'ana', at: later },
    { client: 2, clock: 3, length: 3, actor: 'ana', at: tomorrow },
  ]
  const spans = [
    { from: 1, to: 4, client: 1, clock: 1 },
    { from: 4, to: 6, client: 2, clock: 1 },
    { from: 6, to: 8, client: 2, clock: 3 },
    { from: 10, to: 14, client: 1, clock: 3 },
  ]
  expect(findAuthors(spans, ids, own)).toEqual([
    { from: 1, to: 6, writing: { actor: 'ana', at: later } },
    { from: 6, to: 8, writing: { actor: 'ana', at: tomorrow } },
    { from: 10, to: 12, writing: { actor: 'ana', at: day } },
    { from: 12, to: 14, writing: { actor: 'agent', run: 'r', at: day } },
  ])
})

test('what the server didn’t know is the reader’s if they wrote it, and else nobody’s', () => {
  const ids = [{ client: 9, clock: 0, length: 2, actor: 'me', at: day }]
  const spans = [
    { from: 1, to: 5, client: 9, clock: 0 },
    { from: 5, to: 7, client: 3, clock: 0 },
  ]
  expect(findAuthors(spans, ids, own)).toEqual([
    { from: 1, to: 3, writing: { actor: 'me', at: day } },
    { from: 3, to: 5, writing: { actor: 'me' } },
  ])
})
