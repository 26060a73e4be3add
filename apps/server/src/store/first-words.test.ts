import { expect, test } from 'vitest'
import { firstWords, summarizeText } from './first-words.ts'

test('[DOC-9] the first words are whole words of one line', () => {
  expect(firstWords('')).toBe('')
  expect(firstWords(' \n\t\n  Buy   milk\nand bread')).toBe('Buy milk')
  expect(firstWords('word '.repeat(40))).toBe('word '.repeat(16).trim())
  expect(firstWords('😀'.repeat(60))).toBe('😀'.repeat(40))
  expect(firstWords(`a${'😀'.repeat(60)}`)).toBe(`a${'😀'.repeat(39)}`)
})

test('[LIST-4] the preview is one line of whole words, without the title or the words that stand for it', () => {
  const previewOf = (text: string, title: string): string => summarizeText(text, title).preview
  expect(previewOf('Plan\n\nBuy  milk\nand bread', 'Plan')).toBe('Buy milk and bread')
  expect(previewOf('Planning\nis all', 'Plan')).toBe('Planning is all')
  expect(previewOf('Buy milk\nand bread', '')).toBe('and bread')
  expect(previewOf('Buy milk', 'Buy milk')).toBe('')
  expect(previewOf('word '.repeat(5000), 'Title')).toBe('word '.repeat(40).trim())
  expect(previewOf('', '')).toBe('')
})
