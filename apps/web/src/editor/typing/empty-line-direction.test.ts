import { schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { expect, test } from 'vitest'
import { followsRightToLeft } from './empty-line-direction.ts'

const follows = (markdown: string) => {
  const { doc } = parseMarkdown(markdown)
  const end = doc.content.size
  return followsRightToLeft(doc.copy(doc.content.addToEnd(schema.node('paragraph'))).resolve(end + 1))
}

test('[WRITE-22] an empty line follows the nearest text before it', () => {
  expect(follows('English\n\nשורה')).toBe(true)
  expect(follows('שורה\n\nEnglish')).toBe(false)
  expect(follows('12. مرحبا\n\n42\n\n---')).toBe(true)
  expect(follows('> שורה with words')).toBe(true)
  expect(follows('שורה\n\n```\ncode\n```')).toBe(true)
  expect(follows('')).toBe(false)
})
