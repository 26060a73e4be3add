import { expect, test } from 'vitest'
import { excerptDocument } from './document-excerpt.ts'
import { executeToolCall } from '../calls/execute-tool-call.ts'
import type { DocumentSession } from '../session/document-session.ts'
import { documentOf, sessionOn } from '../testing/test-document.ts'

function excerptOf(session: DocumentSession, focus?: number): { text: string; isWhole: boolean } {
  const read = session.view()
  if (!read.ok) throw new Error(read.message)
  const found = excerptDocument(session, focus === undefined ? undefined : read.view.blocks[focus])
  if (!found.ok) throw new Error(found.message)
  return found.excerpt
}

test('a short document is whole, and its numbers work at once', async () => {
  const session = sessionOn(documentOf('# Plan\n\n- [ ] Buy teh milk\n\n| a | b |\n| - | - |\n| 1 | 2 |'))
  expect(excerptOf(session)).toEqual({
    text: '[0] # Plan\n[1] - [ ] Buy teh milk\n[2] | a | b |\n[3] | 1 | 2 |',
    isWhole: true,
  })
  const input = { find: 'teh', replace: 'the', block: 1 }
  expect((await executeToolCall('edit_document', input, session, { callId: 'call' })).ok).toBe(true)
})

test('its frontmatter counts, and is shown', () => {
  const session = sessionOn(documentOf('---\ntitle: A\n---\n\nText'), { limits: { promptCharacters: 40 } })
  expect(excerptOf(session)).toEqual({ text: '[frontmatter]\n---\ntitle: A\n---\n[0] Text', isWhole: true })
  const yaml = `note: ${'x'.repeat(100)}`
  const long = sessionOn(documentOf(`---\n${yaml}\n---\n\nText`), { limits: { promptCharacters: 40 } })
  expect(excerptOf(long)).toEqual({ text: '', isWhole: false })
})

test('of a long document it is the part around the focus, which counts what is printed', () => {
  const markdown = Array.from({ length: 3000 }, () => 'x').join('\n\n')
  const session = sessionOn(documentOf(markdown), { limits: { promptCharacters: 100 } })
  expect(excerptOf(session)).toEqual({ text: '', isWhole: false })
  const { text, isWhole } = excerptOf(session, 1500)
  expect(isWhole).toBe(false)
  expect(text.length).toBeLessThanOrEqual(50)
  expect(text.split('\n')).toEqual(['[1498] x', '[1499] x', '[1500] x', '[1501] x', '[1502] x'])
  expect(excerptOf(session, 0).text.startsWith('[0] x')).toBe(true)
})

test('a block that is too long alone is left out', () => {
  const session = sessionOn(documentOf(`${'x'.repeat(500)}\n\nb`), { limits: { promptCharacters: 100 } })
  expect(excerptOf(session, 0)).toEqual({ text: '', isWhole: false })
})
