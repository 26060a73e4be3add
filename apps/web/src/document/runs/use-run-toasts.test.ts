import type { Run } from '@copydesk/protocol'
import { describe, expect, test } from 'vitest'
import { beginningOf, describeRunResult, justEnded } from './use-run-toasts.ts'

const run = (change: Partial<Run> = {}): Run => ({
  id: 'run',
  documentId: 'doc',
  status: 'completed',
  trigger: { kind: 'mention', id: 'm' },
  instruction: 'do it',
  invokedBy: { id: 'ana', name: 'Ana', kind: 'person' },
  mode: 'edit',
  rounds: 1,
  maxRounds: 8,
  steps: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  changedBlocks: [{ before: 'a', after: 'b' }],
  createdAt: '2026-11-21T12:00:00Z',
  ...change,
})
const runs = (...list: Run[]) => new Map(list.map((item) => [item.id, item]))

describe('justEnded', () => {
  const going = runs(run({ status: 'running' }))

  test('tells of a run that has just ended, once', () => {
    expect(justEnded(going, runs(run())).map(({ id }) => id)).toEqual(['run'])
    expect(justEnded(runs(run()), runs(run()))).toEqual([])
  })

  test('is silent about runs that were over when the document was opened or were taken back', () => {
    expect(justEnded(runs(), runs(run()))).toEqual([])
    expect(justEnded(going, runs(run({ undone: true })))).toEqual([])
    expect(justEnded(going, going)).toEqual([])
  })
})

describe('describeRunResult', () => {
  test('says how much, how, and for whom', () => {
    expect(describeRunResult(run(), 'ana')).toBe('The agent changed 1 paragraph.')
    const more = { changedBlocks: [1, 2, 3].map((after) => ({ before: '', after: String(after) })) }
    expect(describeRunResult(run(more), 'ben')).toBe('The agent changed 3 paragraphs for Ana.')
    expect(describeRunResult(run({ mode: 'suggest' }), 'ana')).toBe('The agent made suggestions in 1 paragraph.')
  })
})

test('the beginning of an answer is its first line, cut at a word', () => {
  expect(beginningOf('Yes.\n\nBecause')).toBe('Yes.')
  expect(beginningOf('word '.repeat(50))).toMatch(/^(?:word )+word…$/)
  expect(beginningOf('word '.repeat(50)).length).toBeLessThanOrEqual(161)
})
