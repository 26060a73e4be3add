import { describe, expect, test } from 'vitest'
import type { EarlierRun, HistoryHost } from '../../session/host/host.ts'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import type { SessionMode } from '../../session/host/session-options.ts'
import { documentOf, fail, sessionOn, succeed } from '../../testing/test-document.ts'

const step = (number: number, before: string, after: string) => ({
  number,
  summary: `${before} → ${after}`,
  undone: false,
  changes: [{ before, after }],
})
const runs: EarlierRun[] = [
  { number: 7, by: 'Ben', request: 'shorter', undone: false, steps: [step(1, 'Two words', 'One'), step(2, 'x', 'y')] },
  { number: 3, by: 'Ana', request: 'longer', undone: true, steps: [step(1, 'Zero', 'Two words')] },
]

function open(mode: SessionMode = 'edit', markdown = 'One\n\nOther') {
  const undone: [number, number | undefined][] = []
  const history: HistoryHost = {
    hasRuns: () => true,
    runs: async () => runs,
    async undo(run, part) {
      undone.push([run, part])
      return { ok: true }
    },
  }
  // A host that only provides the history.
  const host = { threads: () => [], authorOfChange: () => undefined, history } as never
  return { session: sessionOn(documentOf(markdown), { mode, host }), undone }
}

describe('read_history', () => {
  test('lists runs with their steps, the newest first, and what is undone', async () => {
    const { text } = await succeed(open().session, 'read_history')
    expect(text).toBe(
      [
        'Run 7, asked by Ben: "shorter"',
        '  step 1: Two words → One',
        '    "Two words" → "One"',
        '  step 2: x → y',
        '    "x" → "y"',
        '',
        'Run 3 (undone), asked by Ana: "longer"',
        '  step 1: Zero → Two words',
        '    "Zero" → "Two words"',
      ].join('\n'),
    )
  })

  test('of a block shows only the changes that led to its text', async () => {
    const { session } = open()
    await succeed(session, 'read_document')
    const { text, details } = await succeed(session, 'read_history', { block: 0 })
    expect(details).toEqual({ runs: [7, 3] })
    expect(text).not.toContain('"x"')
    expect((await succeed(session, 'read_history', { block: 1 })).text).toBe('No earlier run has changed that.')
  })

  test('stays within its limit, and says how to see the rest', async () => {
    const history = { runs: async () => runs, undo: async () => ({ ok: true as const }) }
    const session = sessionOn(documentOf('One'), { host: { history } as never, limits: { readCharacters: 120 } })
    const { text } = await succeed(session, 'read_history')
    expect(text).toContain('(1 earlier runs: read_history {"run": …} shows one.)')
  })

  test('names the runs that there are', async () => {
    const { hint } = await fail(open().session, 'read_history', { run: 4 })
    expect(hint).toBe('Runs that have: 7, 3.')
  })
})

describe('undo_changes', () => {
  test('undoes a run, or one of its steps', async () => {
    const { session, undone } = open()
    await succeed(session, 'undo_changes', { run: 7 })
    await succeed(session, 'undo_changes', { run: 7, step: 2 })
    expect(undone).toEqual([
      [7, undefined],
      [7, 2],
    ])
  })

  test('in mode ask waits for approval, showing what comes back', async () => {
    const { session, undone } = open('ask')
    const held = await fail(session, 'undo_changes', { run: 7, step: 1 })
    expect(held).toMatchObject({ code: 'held', details: { proposal: [{ before: 'One', after: 'Two words' }] } })
    expect(undone).toEqual([])
    const call = { callId: 'approved', approved: true }
    expect((await executeToolCall('undo_changes', { run: 7, step: 1 }, session, call)).ok).toBe(true)
    expect(undone).toEqual([[7, 1]])
  })

  test('in mode suggest says what to do instead', async () => {
    const { session, undone } = open('suggest')
    expect((await fail(session, 'undo_changes', { run: 7 })).code).toBe('invalid_operation')
    expect(undone).toEqual([])
  })

  test('unknown runs and steps are not found', async () => {
    const { session } = open()
    expect((await fail(session, 'undo_changes', { run: 1 })).code).toBe('not_found')
    expect((await fail(session, 'undo_changes', { run: 7, step: 3 })).hint).toBe('Steps that did: 1, 2.')
  })

  test('without a history both say so', async () => {
    const session = sessionOn(documentOf('One'))
    expect((await fail(session, 'read_history')).code).toBe('not_configured')
    expect((await fail(session, 'undo_changes', { run: 1 })).code).toBe('not_configured')
  })
})
