import { type Difference, EffectSet, type StepEnd, type UndonePart } from './effect-set.ts'
import type { Copy, HistoryRow } from '../provenance/log-rows.ts'
import { findOpenRows } from './open-calls.ts'
import { ReplayedLog } from './replayed-log.ts'
import { makeUndoPatch } from './undo-patch.ts'
import { differenceTo } from './version-difference.ts'

/** What a plan should bring about: that `undone` holds for a run, or the text of a version, given as a Yjs update. */
export type Goal =
  | { kind: 'run'; run: string; steps: StepEnd[]; undone: UndonePart[] }
  | { kind: 'version'; state: Uint8Array }

/**
 * Requests to the undo thread. `load` replays a log under the caller's ticket; with `cut` it finds the rows of a run
 * that belong to open calls, counts them as cut off, and returns their numbers. `plan` replays the rows appended since
 * and returns how to reach the goal. `plan` or `drop` ends the ticket.
 */
export type UndoRequest =
  | { kind: 'load'; ticket: string; rows: HistoryRow[]; cut?: { run: string; prefix: string } }
  | { kind: 'plan'; ticket: string; rows: HistoryRow[]; goal: Goal }
  | { kind: 'drop'; ticket: string }

/** Responses of the undo thread. `impossible`: no update leaves a document that editors open. */
export type UndoResponse =
  | { kind: 'ready'; cut: number[] }
  | { kind: 'planned'; update: Uint8Array | undefined; copies: Copy[] }
  | { kind: 'impossible' }

/** Handles requests, one after the other, and keeps loaded logs between them. */
export function createUndoPlanner(createClientId: () => number): (request: UndoRequest) => UndoResponse {
  const logs = new Map<string, ReplayedLog>()
  return (request) => {
    switch (request.kind) {
      case 'load': {
        const replayed = new ReplayedLog(createClientId)
        const { rows, cut: wanted } = request
        const cut = new Set(wanted ? findOpenRows(rows, wanted.run, wanted.prefix) : [])
        replayed.apply(rows.map((row) => (cut.has(row.seq) ? { ...row, isCut: true } : row)))
        logs.set(request.ticket, replayed)
        return { kind: 'ready', cut: [...cut] }
      }
      case 'plan': {
        const replayed = logs.get(request.ticket)
        logs.delete(request.ticket)
        if (!replayed) throw new Error(`nothing is loaded under ${request.ticket}`)
        replayed.apply(request.rows)
        const planned = makeUndoPatch(replayed, differenceFor(replayed, request.goal))
        return planned ? { kind: 'planned', ...planned } : { kind: 'impossible' }
      }
      case 'drop':
        logs.delete(request.ticket)
        return { kind: 'ready', cut: [] }
    }
  }
}

function differenceFor(replayed: ReplayedLog, goal: Goal): Difference {
  if (goal.kind === 'version') return differenceTo(replayed, goal.state)
  return new EffectSet(replayed, goal.steps, goal.undone).differenceFor(goal.run)
}
