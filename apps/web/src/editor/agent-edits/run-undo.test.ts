import type { Run } from '@copydesk/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { RoomSnapshot, RoomStore } from '../../collaboration/room-store.ts'
import { createStore } from '../../common/store.ts'
import { createRunUndo, nextRunUndo } from './run-undo.ts'

const at = '2026-11-21T12:00:00.000Z'

function run(id: string, rest: Partial<Run> = {}): Run {
  return {
    id,
    documentId: 'd',
    status: 'completed',
    trigger: { kind: 'chat', id: 'm' },
    instruction: '',
    invokedBy: { id: 'ana', name: 'Ana', kind: 'person' },
    mode: 'edit',
    rounds: 1,
    maxRounds: 8,
    steps: [{ id: 's', tool: 'edit_document', arguments: {}, status: 'ok', summary: '', startedAt: at, changed: true }],
    usage: { inputTokens: 0, outputTokens: 0 },
    createdAt: at,
    ...rest,
  }
}

const runs = (...all: Run[]) => new Map(all.map((each) => [each.id, each]))
const going = runs(run('r', { status: 'running' }))

describe('nextTakeBack', () => {
  test('a run of mine that has just ended is what undo takes back', () => {
    expect(nextRunUndo(null, going, runs(run('r')), 'ana')).toEqual({ kind: 'undo', run: 'r' })
    expect(nextRunUndo(null, going, runs(run('r', { status: 'stopped' })), 'ana')).toEqual({ kind: 'undo', run: 'r' })
  })

  test('neither are other people’s runs, runs of before, or runs that changed nothing', () => {
    expect(nextRunUndo(null, going, runs(run('r')), 'ben')).toBeNull()
    expect(nextRunUndo(null, runs(), runs(run('r')), 'ana')).toBeNull()
    expect(nextRunUndo(null, going, runs(run('r', { steps: [] })), 'ana')).toBeNull()
  })

  test('[PROJ-21] nor are runs that have written files', () => {
    const step = { id: 'f', tool: 'edit_file', arguments: {}, status: 'ok', summary: '', startedAt: at } as const
    const after = (changed: boolean) => runs(run('r', { steps: [...run('r').steps, { ...step, changed }] }))
    expect(nextRunUndo(null, going, after(true), 'ana')).toBeNull()
    expect(nextRunUndo(null, going, after(false), 'ana')).toEqual({ kind: 'undo', run: 'r' })
  })

  test('after it was taken back, redo puts it back, and undo takes it again', () => {
    const undone = nextRunUndo({ kind: 'undo', run: 'r' }, runs(run('r')), runs(run('r', { undone: true })), 'ana')
    expect(undone).toEqual({ kind: 'redo', run: 'r' })
    expect(nextRunUndo(undone, runs(run('r', { undone: true })), runs(run('r', { undone: false })), 'ana')).toEqual({
      kind: 'undo',
      run: 'r',
    })
  })
})

describe('createRunUndo', () => {
  function setUp(apply: () => Promise<void> = async () => {}) {
    const empty: RoomSnapshot = {
      messages: [],
      runs: going,
      threads: new Map(),
      changes: new Map(),
      highlights: new Map(),
      unstarted: new Map(),
      settings: {},
    }
    const store = createStore(empty)
    const room: RoomStore = { ...store, runOfMention: () => undefined, close: () => {} }
    const calls: string[] = []
    const runUndo = createRunUndo({
      room,
      self: 'ana',
      apply: (kind, id) => {
        calls.push(`${kind} ${id}`)
        return apply()
      },
    })
    runUndo.follow()
    const end = () => store.set({ ...empty, runs: runs(run('r')) })
    return { runUndo, calls, end }
  }

  test('takes a run back once, however often the key is pressed meanwhile', () => {
    const { runUndo, calls, end } = setUp(() => new Promise(() => {}))
    end()
    expect([runUndo.press('undo'), runUndo.press('undo')]).toEqual([true, true])
    expect(calls).toEqual(['undo r'])
  })

  test('[WRITE-31] a second press undoes no run twice before the room has shown the first, and leaves the key to the typing', async () => {
    const { runUndo, calls, end } = setUp()
    end()
    expect(runUndo.press('undo')).toBe(true)
    await vi.waitFor(() => expect(runUndo.get()).toEqual({ kind: 'redo', run: 'r' }))
    expect(runUndo.press('undo')).toBe(false)
    expect(calls).toEqual(['undo r'])
  })

  test('[WRITE-31] a key that reverses the call under way acts after it, unless it is reversed itself', async () => {
    const { runUndo, calls, end } = setUp()
    end()
    for (const key of ['undo', 'redo', 'undo'] as const) expect(runUndo.press(key)).toBe(true)
    await vi.waitFor(() => expect(runUndo.get()).toEqual({ kind: 'redo', run: 'r' }))
    expect(calls).toEqual(['undo r'])
    for (const key of ['redo', 'undo'] as const) expect(runUndo.press(key)).toBe(true)
    await vi.waitFor(() => expect(calls).toEqual(['undo r', 'redo r', 'undo r']))
    await vi.waitFor(() => expect(runUndo.get()).toEqual({ kind: 'redo', run: 'r' }))
  })

  test('leaves the key alone after typing, and when something else was pressed first', () => {
    const typed = setUp()
    typed.end()
    typed.runUndo.clear()
    expect(typed.runUndo.press('undo')).toBe(false)
    const redone = setUp()
    redone.end()
    expect(redone.runUndo.press('redo')).toBe(false)
    expect(redone.runUndo.press('undo')).toBe(false)
    expect(redone.calls).toEqual([])
  })
})
