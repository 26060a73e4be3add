import { expect, test } from 'vitest'
import { noteOpened, recentDocuments } from './recent-documents.ts'

function createMemory(kept = new Map<string, string>()) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  }
}

test('[PALETTE-1] the documents that a user opened last come first, each once, at most twenty', () => {
  const memory = createMemory()
  for (let index = 0; index < 25; index += 1) noteOpened('ana', `d${index}`, () => memory)
  noteOpened('ana', 'd10', () => memory)
  expect(recentDocuments('ana', () => memory).slice(0, 3)).toEqual(['d10', 'd24', 'd23'])
  expect(recentDocuments('ana', () => memory)).toHaveLength(20)
  expect(recentDocuments('ben', () => memory)).toEqual([])
})

test('blocked storage and what others have stored there do no harm', () => {
  const blocked = () => {
    throw new Error('blocked')
  }
  noteOpened('ana', 'd', blocked)
  expect(recentDocuments('ana', blocked)).toEqual([])
  expect(recentDocuments('ana', () => createMemory(new Map([['copydesk recent ana', '{"a":1}']])))).toEqual([])
  expect(recentDocuments('ana', () => createMemory(new Map([['copydesk recent ana', '[1,"d"]']])))).toEqual(['d'])
})
