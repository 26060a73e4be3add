import { expect, test } from 'vitest'
import { firstWords } from './first-words.ts'

test('[DOC-9] the first words are whole words of one line', () => {
  expect(firstWords('')).toBe('')
  expect(firstWords(' \n\t\n  Buy   milk\nand bread')).toBe('Buy milk')
  expect(firstWords('word '.repeat(40))).toBe('word '.repeat(16).trim())
  expect(firstWords('😀'.repeat(60))).toBe('😀'.repeat(40))
  expect(firstWords(`a${'😀'.repeat(60)}`)).toBe(`a${'😀'.repeat(39)}`)
})
