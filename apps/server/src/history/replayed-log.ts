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
export type ReplayedRow = { seq: number; kind?: 'run' | 'decision' | 'undo'; run?: string; decidedBy?: string }

/** The Yjs id of a copy. */
type Target = { client: number; clock: number }

/**
 * A content log replayed from its first row into a document without garbage collection. Keeps for every id the row that
 * inserted it, the row that deleted it, and the copies under which undo restored it.
 */
export class ReplayedLog {
  /** The row that inserted an id. */
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

  /** Replays further rows, in their order. @throws what Yjs throws for an update that can't be applied. */
  apply(rows: readonly HistoryRow[]): void {
    // Only rows of runs need to be told apart: users' rows between them are applied as one transaction.
    let people: HistoryRow[] = []
    for (const row of rows) {
      if (row.run === null && row.decidedBy === undefined && row.copies === undefined) {
        people.push(row)
        continue
      }
      this.#applyPeople(people)
      people = []
      this.#applyUpdates(replayed(row), [row.bytes])
      for (const copy of row.copies ?? []) this.#noteCopy(copy)
      linkCopies(this.#doc, row.copies ?? [])
    }
    this.#applyPeople(people)
  }

  /** Rebuilds the document as it was before any attempted changes. */
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

  #noteCopy(copy: Copy): void {
    const [fromClient, fromClock, toClient, toClock, len] = copy
    this.#copies.push(copy)
    this.copyOf.add({ client: fromClient, clock: fromClock, len }, { client: toClient, clock: toClock })
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
        this.deleted.add({ client, clock, len: known }, this.#row)
        this.#noteShortLived({ client, clock: clock + known, len: len - known })
      }
    }
  }

  /**
   * Notes ids that one transaction inserted and deleted. Content written into a deleted block counts as deleted with
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

function replayed({ seq, actor, run, copies, isCut, decidedBy }: HistoryRow): ReplayedRow {
  if (copies) return { seq, kind: 'undo' }
  if (decidedBy !== undefined) return { seq, kind: 'decision', decidedBy, ...(run === null ? {} : { run }) }
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
