import type { Run, Thread } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { listThreads, runOfThread, runsByComment, countShown } from './thread-list.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }
const time = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString()

function thread(id: string, second: number, rest: Partial<Thread> = {}): Thread {
  const comments = [{ id: `${id}-1`, author: ana, text: 'Hm', createdAt: time(second) }]
  return { id, quote: id, resolved: false, orphaned: false, comments, ...rest }
}

const ids = (threads: readonly Thread[]) => threads.map(({ id }) => id)

test('open threads are in the order of their texts, those without text at the end by age', () => {
  const threads = [thread('lost', 3, { orphaned: true }), thread('b', 1), thread('new', 4), thread('a', 2)]
  expect(ids(listThreads(threads, ['a', 'b']))).toEqual(['a', 'b', 'lost', 'new'])
})

test('of resolved threads the newest comes first, wherever their texts are', () => {
  const threads = [thread('old', 1, { resolved: true }), thread('young', 3, { resolved: true })]
  expect(ids(listThreads(threads, ['old', 'young']))).toEqual(['young', 'old'])
})

test('the run of a thread is the newest that one of its comments started', () => {
  const run = (id: string, second: number, rest: Partial<Run> = {}): Run => ({
    id,
    documentId: 'd',
    status: 'running',
    trigger: { kind: 'comment', id: 't-1' },
    instruction: '',
    invokedBy: ana,
    mode: 'edit',
    rounds: 0,
    maxRounds: 8,
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    createdAt: time(second),
    ...rest,
  })
  const runs = [run('second', 2), run('first', 1), run('other', 3, { trigger: { kind: 'comment', id: 'x' } })]
  expect(runOfThread(thread('t', 0), runsByComment(runs))?.id).toBe('second')
  const answered = run('third', 4, { status: 'completed', answer: 'Done' })
  expect(runOfThread(thread('t', 0), runsByComment([...runs, answered]))).toBeUndefined()
  expect(runOfThread(thread('t', 0), runsByComment([run('failed', 5, { status: 'failed' })]))?.id).toBe('failed')
})

test('[REV-39] of very many threads so many are shown as were asked for, and the active one in any case', () => {
  const threads = Array.from({ length: 300 }, (_, index) => thread(`t${index}`, index))
  expect(countShown(threads, null, 100)).toBe(100)
  expect(countShown(threads, 't5', 100)).toBe(100)
  expect(countShown(threads, 't250', 100)).toBe(251)
  expect(countShown(threads, 'gone', 400)).toBe(300)
})
