import { expect, test } from 'vitest'
import { DraftStore } from './drafts.ts'

function createMemory() {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}

function openDrafts(user: string, memory = createMemory()) {
  const drafts = new DraftStore(() => memory)
  drafts.open(user)
  return drafts
}

test('drafts come back after a reload, for their owner only', () => {
  const memory = createMemory()
  memory.setItem('copydesk theme', 'dark')
  openDrafts('ana', memory).set('reply d1 t1', 'mended')
  const drafts = openDrafts('ana', memory)
  expect([drafts.get('reply d1 t1'), drafts.about('d1'), drafts.about('d2')]).toEqual(['mended', ['mended'], []])
  drafts.open('ben')
  expect([drafts.get('reply d1 t1'), drafts.about('d1')]).toEqual(['', []])
  drafts.open('ana')
  expect(drafts.get('reply d1 t1')).toBe('mended')
})

test('listeners are notified of each change, and an empty draft leaves nothing', () => {
  const memory = createMemory()
  const drafts = openDrafts('ana', memory)
  const seen: string[] = []
  const stop = drafts.subscribe(() => seen.push(drafts.get('one')))
  drafts.set('one', 'text')
  drafts.set('one', (now) => `${now} and more`)
  expect(memory.length).toBe(1)
  drafts.set('one', '')
  stop()
  expect([seen, memory.length]).toEqual([['text', 'text and more', ''], 0])
})

test('drafts last as long as the page where the browser stores nothing', () => {
  const drafts = new DraftStore(() => {
    throw new Error('forbidden')
  })
  drafts.open('ana')
  drafts.set('message', 'text')
  expect(drafts.get('message')).toBe('text')
})
