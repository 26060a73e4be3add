import { IdMap, type IdRange } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import { agentIdentity } from '../common/identity.ts'
import type { Copy, HistoryRow } from '../provenance/log-rows.ts'
import { structsIn, toDeleteSet } from '../store/updates/id-ranges.ts'
import { applyUpdates, keepVerbatim } from '../store/updates/verbatim-doc.ts'
import { cutPart } from './open-calls.ts'

/**
 * A replayed row: of a run, a decision on a run's suggestions, or an undo. Rows of users and of the server itself have
 * no kind. `run` is the run that wrote the row, or on whose suggestions it decides; `decidedBy` is the run that made
 * the decision.
 */
export type ReplayedRow = {
  seq: number
  kind?: 'run' | 'decision' | 'undo'
  run?: string
  decidedBy?: string
  /** The last row of the version that the row restored. */
  restores?: number
}

/** The Yjs id of a copy; `restored` if a user's restore of a version made the copy. */
type Target = { client: number; clock: number; restored?: true }

/**
 * A content log replayed from its first row into a document without garbage collection. Keeps for every id the row that
 * inserted it, the row that deleted it, and the copies under which undo restored it.
 */
export class ReplayedLog {
  readonly inserted = new IdMap<ReplayedRow>()
  /** The row that deleted an id; for content inserted into an already deleted block, the row that deleted the block. */
  readonly deleted = new IdMap<ReplayedRow>()
  readonly copyOf = new IdMap<Target>()
  readonly originalOf = new IdMap<Target>()
  readonly #updates: Uint8Array[] = []
  readonly #copies: Copy[] = []
  readonly #createClientId: () => number
  #doc: Y.Doc
  #row: ReplayedRow = { seq: 0 }

  /** `createClientId` returns the Yjs client id for changes of the document; it must be unused. */
  constructor(createClientId: () => number) {
    this.#createClientId = createClientId
    this.#doc = createScratch(createClientId())
    this.#doc.on('afterTransaction', (transaction) => this.#note(transaction))
  }

  get doc(): Y.Doc {
    return this.#doc
  }

  /** Replays further rows, in order. @throws the errors of Yjs for an update that can't be applied. */
  apply(rows: readonly HistoryRow[]): void {
    // Only rows of runs must be distinguished: users' rows between them are applied as one transaction.
    let people: HistoryRow[] = []
    for (const row of rows) {
      if (isOnlyTyped(row)) {
        people.push(row)
        continue
      }
      this.#applyPeople(people)
      people = []
      this.#applyUpdates(replayed(row), [row.bytes])
      for (const copy of row.copies ?? []) this.#noteCopy(copy)
      for (const copy of row.restored?.copies ?? []) this.#noteCopy(copy, true)
      linkCopies(this.#doc, row.copies ?? row.restored?.copies ?? [])
    }
    this.#applyPeople(people)
  }

  /** The current ids of a range: its own, or those of the latest copies. */
  latestOf(range: IdRange): IdRange[] {
    return this.copyOf.pieces(range).flatMap((piece) => {
      if (!piece.found) return [piece.range]
      const { client, clock } = piece.value
      return this.latestOf({ client, clock: clock + piece.offset, len: piece.range.len })
    })
  }

  /** Rebuilds the document without attempted changes. */
  rebuild(): void {
    this.#doc.destroy()
    this.#doc = createScratch(this.#createClientId())
    applyUpdates(this.#doc, this.#updates)
    linkCopies(this.#doc, this.#copies)
  }

  #applyPeople(rows: readonly HistoryRow[]): void {
    const last = rows.at(-1)
    if (!last) return
    this.#applyUpdates(
      replayed(last),
      rows.map(({ bytes }) => bytes),
    )
  }

  #applyUpdates(row: ReplayedRow, updates: readonly Uint8Array[]): void {
    this.#row = row
    for (const update of updates) this.#updates.push(update)
    applyUpdates(this.#doc, updates)
  }

  #noteCopy(copy: Copy, isRestored = false): void {
    const [fromClient, fromClock, toClient, toClock, len] = copy
    this.#copies.push(copy)
    const target = { client: toClient, clock: toClock, ...(isRestored ? { restored: true as const } : {}) }
    this.copyOf.add({ client: fromClient, clock: fromClock, len }, target)
    this.originalOf.add({ client: toClient, clock: toClock, len }, { client: fromClient, clock: fromClock })
  }

  #note(transaction: Y.Transaction): void {
    for (const [client, clock] of transaction.afterState) {
      const before = transaction.beforeState.get(client) ?? 0
      this.inserted.add({ client, clock: before, len: clock - before }, this.#row)
    }
    for (const [client, ranges] of transaction.deleteSet.clients) {
      const before = transaction.beforeState.get(client) ?? 0
      for (const { clock, len } of ranges) {
        const known = Math.max(0, Math.min(len, before - clock))
        this.#noteDeleted({ client, clock, len: known })
        this.#noteShortLived({ client, clock: clock + known, len: len - known })
      }
    }
  }

  /**
   * Records the row that deleted ids. If a restore deletes content that was also deleted in the restored version, under
   * these ids or their originals, the row of the earlier deletion is recorded.
   */
  #noteDeleted(range: IdRange): void {
    const { restores } = this.#row
    if (restores === undefined) return this.deleted.add(range, this.#row)
    for (const piece of this.originalOf.pieces(range)) {
      if (!piece.found) {
        this.deleted.add(piece.range, this.#row)
        continue
      }
      const { client, clock } = piece.value
      const { len } = piece.range
      for (const part of this.#deletedBy({ client, clock: clock + piece.offset, len }, restores)) {
        this.deleted.add({ ...piece.range, clock: piece.range.clock + part.offset, len: part.len }, part.row)
      }
    }
  }

  /** The rows up to `seq` that deleted ids or their originals; for other ids, this row. */
  #deletedBy(range: IdRange, seq: number): { offset: number; len: number; row: ReplayedRow }[] {
    return this.deleted.pieces(range).flatMap((piece) => {
      const { clock, len } = piece.range
      const offset = clock - range.clock
      if (piece.found && piece.value.seq <= seq) return { offset, len, row: piece.value }
      return this.originalOf.pieces(piece.range).flatMap((copy) => {
        const at = copy.range.clock - range.clock
        if (!copy.found) return { offset: at, len: copy.range.len, row: this.#row }
        const original = { ...copy.value, clock: copy.value.clock + copy.offset, len: copy.range.len }
        return this.#deletedBy(original, seq).map((part) => ({ ...part, offset: at + part.offset }))
      })
    })
  }

  /**
   * Records ids that one transaction inserted and deleted. Content written into a deleted block counts as deleted with
   * the block.
   */
  #noteShortLived(range: IdRange): void {
    for (const struct of structsIn(this.#doc, range)) {
      const block = struct.struct instanceof Y.Item ? parentItem(struct.struct) : null
      const cause = block?.deleted ? this.deleted.get(block.id) : undefined
      this.deleted.add(struct.range, cause ?? this.#row)
    }
  }
}

/** Whether a row may be applied in one transaction with users' rows before and after it. */
function isOnlyTyped({ run, decidedBy, copies, restored }: HistoryRow): boolean {
  return run === null && decidedBy === undefined && copies === undefined && restored === undefined
}

function replayed({ seq, actor, run, copies, restored, isCut, decidedBy }: HistoryRow): ReplayedRow {
  if (copies) return { seq, kind: 'undo' }
  if (decidedBy !== undefined) return { seq, kind: 'decision', decidedBy, ...(run === null ? {} : { run }) }
  if (restored) return { seq, restores: restored.version }
  if (run === null) return { seq }
  return { seq, kind: actor === agentIdentity.id ? 'run' : 'decision', run: isCut ? cutPart(run) : run }
}

/** The item of the type that contains this item; null at the top level. */
export function parentItem(item: Y.Item): Y.Item | null {
  return item.parent instanceof Y.AbstractType ? item.parent._item : null
}

function createScratch(clientId: number): Y.Doc {
  const doc = new Y.Doc({ gc: false })
  doc.clientID = clientId
  keepVerbatim(doc)
  return doc
}

/** Sets `redone` on deleted items, as Yjs does in the document in which it makes the copies. */
function linkCopies(doc: Y.Doc, copies: readonly Copy[]): void {
  doc.transact((transaction) => {
    for (const [fromClient, fromClock, toClient, toClock, len] of copies) {
      const range = { client: fromClient, clock: fromClock, len }
      Y.iterateDeletedStructs(transaction, toDeleteSet([range]), (struct) => {
        if (struct instanceof Y.Item) struct.redone = Y.createID(toClient, toClock + struct.id.clock - fromClock)
      })
    }
  })
}
