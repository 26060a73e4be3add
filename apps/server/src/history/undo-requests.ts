import { contentTypes } from '@copydesk/schema'
import { IdMap, type IdRange } from '@copydesk/schema/ids'
import { type Difference, EffectSet, type StepEnd, type UndonePart } from './effect-set.ts'
import type { Copy, HistoryRow } from '../provenance/log-rows.ts'
import { findOpenRows } from './open-calls.ts'
import { ReplayedLog } from './replayed-log.ts'
import { makeUndoPatch } from './undo-patch.ts'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../store/updates/verbatim-doc.ts'

/** The goal of a plan: that `undone` holds for a run, or the text of a version, given as a Yjs update. */
export type Goal =
  | { kind: 'run'; run: string; steps: StepEnd[]; undone: UndonePart[] }
  | { kind: 'version'; state: Uint8Array }

/**
 * Requests to the undo thread. `load` replays a log under the caller's ticket; with `cut` it finds the rows of a run
 * that belong to open calls, counts them as cut off, and returns their numbers. `plan` replays the rows appended since
 * and returns the changes for the goal. `plan` or `drop` ends the ticket.
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

/** Handles requests sequentially, and keeps loaded logs between them. */
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

type Shared = Pick<Y.XmlFragment, '_start' | '_map'>

/**
 * Computes which ids have to change so that the text consists of the ids of a version, or of the copies that undo has
 * made of them since. `state` is the content of the version as a Yjs update, without comments.
 */
function differenceTo(replayed: ReplayedLog, state: Uint8Array): Difference {
  const version = createVerbatimDoc()
  Y.applyUpdate(version, state)
  const wanted = new IdMap<true>()
  const missing: IdRange[] = []
  for (const range of shownIn(version)) {
    for (const latest of replayed.latestOf(range)) {
      wanted.addNew(latest, true)
      missing.push(...replayed.deleted.found(latest).map((piece) => piece.range))
    }
  }
  version.destroy()
  const unwanted = [...shownIn(replayed.doc)].flatMap((range) =>
    wanted.pieces(range).flatMap((piece) => (piece.found ? [] : piece.range)),
  )
  return { missing, unwanted }
}

/** The ids of the text and its attributes. */
function* shownIn(doc: Y.Doc): Generator<IdRange, void, undefined> {
  const pending: Shared[] = [doc.getXmlFragment(contentTypes.fragment)]
  // Iterative: nested blocks may be deeper than the call stack.
  for (let type = pending.pop(); type; type = pending.pop()) {
    for (const item of itemsOf(type)) {
      if (item.deleted || isComment(item)) continue
      yield { client: item.id.client, clock: item.id.clock, len: item.length }
      if (item.content instanceof Y.ContentType) pending.push(item.content.type)
    }
  }
}

function* itemsOf(type: Shared): Generator<Y.Item, void, undefined> {
  for (let item = type._start; item; item = item.right) yield item
  yield* type._map.values()
}

function isComment({ content, parentSub }: Y.Item): boolean {
  return parentSub === 'threads' || (content instanceof Y.ContentFormat && content.key.startsWith('comment'))
}
