import type { Message, Run } from '@copydesk/protocol'
import { describe, expect, test } from 'vitest'
import { readEntries } from './entries.ts'
import { isQueuedBehind, viewRun } from '../runs/run-view.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }
const time = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString()

function message(id: string, second: number, rest: Partial<Message> = {}): Message {
  return { id, role: 'user', author: ana, text: id, status: 'complete', createdAt: time(second), ...rest }
}

function run(id: string, second: number, rest: Partial<Run> = {}): Run {
  return {
    id,
    documentId: 'd',
    status: 'running',
    trigger: { kind: 'chat', id: 'm1' },
    instruction: 'tighten',
    invokedBy: ana,
    mode: 'edit',
    rounds: 1,
    maxRounds: 8,
    steps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    createdAt: time(second),
    ...rest,
  }
}

const keys = (messages: Message[], runs: Run[]) =>
  readEntries({ messages, runs: new Map(runs.map((each) => [each.id, each])) }).map(({ key }) => key)

describe('readEntries', () => {
  test('puts a run below its question, with the streamed answer in it', () => {
    const messages = [message('m1', 1), message('m2', 2), message('a1', 3, { role: 'agent', run: 'r1', text: 'Hello' })]
    const entries = readEntries({ messages, runs: new Map([['r1', run('r1', 1)]]) })
    expect(entries.map(({ key }) => key)).toEqual(['m1', 'run:r1', 'm2'])
    expect(entries[1]).toMatchObject({ answer: 'Hello', asked: null })
  })

  test('places runs that were asked for in the text by their time, and says who asked', () => {
    const mention = run('r2', 2, { trigger: { kind: 'mention', id: 'x' }, answer: 'Done so' })
    expect(keys([message('m1', 1), message('m2', 3)], [mention])).toEqual(['m1', 'run:r2', 'm2'])
    expect(readEntries({ messages: [], runs: new Map([['r2', mention]]) })).toMatchObject([
      { answer: 'Done so', asked: { by: ana, how: 'asked in the text', text: 'tighten' } },
    ])
  })

  test('keeps an agent’s message whose run is gone', () => {
    expect(keys([message('a1', 1, { role: 'agent', run: 'gone' })], [])).toEqual(['a1'])
  })
})

describe('viewRun', () => {
  test('counts the current round', () => {
    expect(viewRun(run('r', 1), false)).toMatchObject({ rounds: 'round 2 of 8', canStop: true })
    expect(viewRun(run('r', 1, { rounds: 8 }), false).rounds).toBe('round 8 of 8')
    const plan = (...states: ('open' | 'doing' | 'done')[]) => states.map((state) => ({ text: 'A part', state }))
    const placed = (given: ReturnType<typeof plan>) => viewRun(run('r', 1, { plan: given }), false).rounds
    expect(placed(plan('done', 'doing', 'open'))).toBe('2 of 3')
    expect(placed(plan('done', 'open', 'open'))).toBe('2 of 3')
    expect(placed(plan('done', 'done', 'done'))).toBe('3 of 3')
    expect(placed(plan('doing'))).toBe('round 2 of 8')
    expect(viewRun(run('r', 1, { status: 'awaiting_approval' }), false).rounds).toBe(null)
  })

  test('says what it is doing right now', () => {
    const step = { id: 's', tool: 'read_document', arguments: {}, summary: 'Reading the document', startedAt: time(1) }
    expect(viewRun(run('r', 1), false).headline).toBe('Thinking…')
    expect(viewRun(run('r', 1, { steps: [{ ...step, status: 'running' }] }), false).headline).toBe(step.summary)
    expect(viewRun(run('r', 1, { steps: [{ ...step, status: 'ok' }] }), false).headline).toBe('Thinking…')
  })

  test('says why a run failed', () => {
    const failed = run('r', 1, {
      status: 'failed',
      error: { code: 'internal', message: 'The model can’t be reached.' },
    })
    expect(viewRun(failed, false)).toMatchObject({ problem: 'The model can’t be reached.', canStop: false })
  })

  test('knows when a request waits behind one’s own', () => {
    const queued = run('r2', 2, { status: 'queued' })
    expect(isQueuedBehind(queued, [run('r1', 1), queued])).toBe(true)
    expect(isQueuedBehind(queued, [run('r1', 1, { status: 'completed' }), queued])).toBe(false)
    expect(isQueuedBehind(queued, [run('r1', 1, { invokedBy: { ...ana, id: 'bo' } }), queued])).toBe(false)
    expect(viewRun(queued, true).headline).toBe('Waiting for your other request')
  })
})
