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
