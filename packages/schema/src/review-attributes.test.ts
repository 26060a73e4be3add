import { expect, test } from 'vitest'
import { type NodeSuggestion, readSuggestions, readThreads, writeSuggestions, writeThreads } from './index.ts'

test('thread ids are read back, each once', () => {
  expect(readThreads(writeThreads(['a', 'b', 'a']))).toEqual(['a', 'b'])
  expect(writeThreads([])).toBeNull()
  expect(readThreads('  a   b ')).toEqual(['a', 'b'])
})

test('suggestions are read back', () => {
  const suggestions: NodeSuggestion[] = [
    { id: '1', operation: 'insert' },
    { id: '2', operation: 'change', previous: { type: 'heading', attributes: { level: 2 } } },
  ]
  expect(readSuggestions(writeSuggestions(suggestions))).toEqual(suggestions)
  expect(writeSuggestions([])).toBeNull()
})

test.each([
  null,
  undefined,
  1,
  {},
  [],
  '',
  'x',
  '{}',
  'null',
  '1',
  '"a"',
  '[',
  '[null]',
  '[1,"a",[]]',
  '[{"id":1,"operation":"insert"}]',
])('%j holds no thread or suggestion that could harm', (value) => {
  expect(readSuggestions(value)).toEqual([])
  expect(readThreads(value).every((id) => typeof id === 'string')).toBe(true)
})

test.each([
  { id: 'a', operation: 'explode' },
  { id: 'a', operation: 'change' },
  { id: 'a', operation: 'change', previous: {} },
  { id: 'a', operation: 'change', previous: [] },
  { id: 'a', operation: 'change', previous: { type: 1, attributes: {} } },
  { id: 'a', operation: 'change', previous: { type: 'heading', attributes: [] } },
  { id: 'a', operation: 'change', previous: { type: 'heading', attributes: null } },
  { operation: 'insert' },
])('the malformed suggestion %j is skipped, its neighbours are kept', (malformed) => {
  const sound = { id: 'b', operation: 'delete' }
  expect(readSuggestions(JSON.stringify([malformed, sound]))).toEqual([sound])
})

test('an attribute beyond 64 KB or 100 entries reads as none', () => {
  const suggestions = (count: number): string =>
    JSON.stringify(Array.from({ length: count }, (_, index) => ({ id: `s${index}`, operation: 'insert' })))
  const threads = (count: number): string => Array.from({ length: count }, (_, index) => `t${index}`).join(' ')
  expect([readSuggestions(suggestions(100)).length, readThreads(threads(100)).length]).toEqual([100, 100])
  expect([readSuggestions(suggestions(101)), readThreads(threads(101))]).toEqual([[], []])
  expect(readSuggestions(JSON.stringify([{ id: 'x'.repeat(64 * 1024), operation: 'insert' }]))).toEqual([])
  expect(readThreads('x'.repeat(64 * 1024 + 1))).toEqual([])
})

test('what a node was before holds attributes that nodes have, and no depth', () => {
  const before = (attributes: unknown) =>
    readSuggestions(JSON.stringify([{ id: 'a', operation: 'change', previous: { type: 'tableCell', attributes } }]))
  expect(before({ colwidth: [1, 2], align: null, colspan: 1, checked: true })).toHaveLength(1)
  expect(before({ colwidth: [[1]] })).toEqual([])
  expect(before({ align: { left: 1 } })).toEqual([])
})
