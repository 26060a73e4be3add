import { describe, expect, test } from 'vitest'
import { keptDraftsOf } from './drafts.ts'

function createMemory() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}

describe('drafts that outlive the page', () => {
  test('come back from the memory of the tab, for their owner and place only', () => {
    const memory = createMemory()
    memory.setItem('copydesk draft ana chat d1 edit run call', 'mended')
    expect(keptDraftsOf('ana', 'chat d1', memory).get('edit run call')).toBe('mended')
    expect(keptDraftsOf('ben', 'chat d1', memory).get('edit run call')).toBe('')
    expect(keptDraftsOf('ana', 'chat d2', memory).get('edit run call')).toBe('')
  })

  test('tell who listens, and leave nothing once they are empty', () => {
    const memory = createMemory()
    const drafts = keptDraftsOf('ana', 'chat d3', memory)
    let told = 0
    const stop = drafts.subscribe(() => (told += 1))
    drafts.set('edit one', 'text')
    expect(memory.kept.size).toBe(1)
    drafts.set('edit one', '')
    stop()
    expect([told, memory.kept.size, drafts.get('edit one')]).toEqual([2, 0, ''])
  })

  test('live as long as the page where the browser keeps nothing', () => {
    const refuse = () => {
      throw new Error('forbidden')
    }
    const drafts = keptDraftsOf('ana', 'chat d4', { getItem: refuse, setItem: refuse, removeItem: refuse })
    expect(drafts.get('message')).toBe('')
    drafts.set('message', 'text')
    expect(drafts.get('message')).toBe('text')
  })
})
