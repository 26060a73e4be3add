import type { Run } from '@copydesk/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { RoomSnapshot, RoomStore } from '../../collaboration/room-store.ts'
import { createStore } from '../../common/store.ts'
import { createTakeBack, nextTakeBack } from './take-back.ts'

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
    expect(nextTakeBack(null, going, runs(run('r')), 'ana')).toEqual({ kind: 'undo', run: 'r' })
    expect(nextTakeBack(null, going, runs(run('r', { status: 'stopped' })), 'ana')).toEqual({ kind: 'undo', run: 'r' })
  })

  test('neither are other people’s runs, runs of before, or runs that changed nothing', () => {
    expect(nextTakeBack(null, going, runs(run('r')), 'ben')).toBeNull()
    expect(nextTakeBack(null, runs(), runs(run('r')), 'ana')).toBeNull()
    expect(nextTakeBack(null, going, runs(run('r', { steps: [] })), 'ana')).toBeNull()
  })

  test('[PROJ-21] nor are runs that have written files', () => {
    const step = { id: 'f', tool: 'edit_file', arguments: {}, status: 'ok', summary: '', startedAt: at } as const
    const after = (changed: boolean) => runs(run('r', { steps: [...run('r').steps, { ...step, changed }] }))
    expect(nextTakeBack(null, going, after(true), 'ana')).toBeNull()
    expect(nextTakeBack(null, going, after(false), 'ana')).toEqual({ kind: 'undo', run: 'r' })
  })

  test('after it was taken back, redo puts it back, and undo takes it again', () => {
    const undone = nextTakeBack({ kind: 'undo', run: 'r' }, runs(run('r')), runs(run('r', { undone: true })), 'ana')
    expect(undone).toEqual({ kind: 'redo', run: 'r' })
    expect(nextTakeBack(undone, runs(run('r', { undone: true })), runs(run('r', { undone: false })), 'ana')).toEqual({
      kind: 'undo',
      run: 'r',
    })
  })
})

describe('createTakeBack', () => {
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
    const takeBack = createTakeBack({
      room,
      self: 'ana',
      apply: (kind, id) => {
        calls.push(`${kind} ${id}`)
        return apply()
      },
    })
    takeBack.follow()
    const end = () => store.set({ ...empty, runs: runs(run('r')) })
    return { takeBack, calls, end }
  }

  test('takes a run back once, however often the key is pressed meanwhile', () => {
    const { takeBack, calls, end } = setUp(() => new Promise(() => {}))
    end()
    expect([takeBack.press('undo'), takeBack.press('undo')]).toEqual([true, true])
    expect(calls).toEqual(['undo r'])
  })

  test('[WRITE-31] a second press undoes no run twice before the room has shown the first, and leaves the key to the typing', async () => {
    const { takeBack, calls, end } = setUp()
    end()
    expect(takeBack.press('undo')).toBe(true)
    await vi.waitFor(() => expect(takeBack.get()).toEqual({ kind: 'redo', run: 'r' }))
    expect(takeBack.press('undo')).toBe(false)
    expect(calls).toEqual(['undo r'])
  })

  test('leaves the key alone after typing, and when something else was pressed first', () => {
    const typed = setUp()
    typed.end()
    typed.takeBack.forget()
    expect(typed.takeBack.press('undo')).toBe(false)
    const redone = setUp()
    redone.end()
    expect(redone.takeBack.press('redo')).toBe(false)
    expect(redone.takeBack.press('undo')).toBe(false)
    expect(redone.calls).toEqual([])
  })
})
