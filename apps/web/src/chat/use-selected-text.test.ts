import { expect, test } from 'vitest'
import { countWords } from './use-selected-text.ts'

test('counts words of any script, without punctuation', () => {
  expect(countWords('It took the last bus – at night.')).toBe(7)
  expect(countWords('我喜欢写作。')).toBeGreaterThan(2)
  expect(countWords('كتاب جديد')).toBe(2)
  expect(countWords('word '.repeat(10_000))).toBe(10_000)
})
