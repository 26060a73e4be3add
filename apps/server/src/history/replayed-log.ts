import * as Y from 'yjs'
import { agentIdentity } from '../common/identity.ts'
import { applyUpdates, keepVerbatim } from '../store/updates/verbatim-doc.ts'
import { IdMap, type IdRange } from './id-map.ts'

/**
 * A copy of `len` ids that an undo or redo restored under new ids: `[fromClient, fromClock, toClient, toClock, len]`.
 * Yjs can't revive deleted items; it makes a copy.
 */
export type Copy = readonly [fromClient: number, fromClock: number, toClient: number, toClock: number, len: number]

/**
 * A row of a content log. A row with a run whose actor isn't the agent is a user's decision on the run's suggestions.
 * `copies` is set if the row is an undo or redo by the server.
 */
export type HistoryRow = {
  seq: number
  bytes: Uint8Array
  actor: string
  run: string | null
  copies?: readonly Copy[]
}

/**
 * The kind of a row: of a run, a decision on a run's suggestions, or an undo. Rows of users and of the server itself
 * have none.
 */
type RowKind = { kind: 'run' | 'decision'; run: string } | { kind: 'undo' }

/** The Yjs id of a copy. */
type Target = { client: number; clock: number }

/**
 * A content log replayed from its first row into a document without garbage collection. Keeps for every id the row that
 * inserted it, the row that deleted it, and the copies under which undo restored it.
 */
export class ReplayedLog {
  /** The row that inserted an id. */
  readonly inserted = new IdMap<number>()
  /** The row that deleted an id; for content inserted into an already deleted block, the row that deleted the block. */
  readonly deleted = new IdMap<number>()
  readonly copyOf = new IdMap<Target>()
  readonly originalOf = new IdMap<Target>()
  readonly #rows = new Map<number, RowKind>()
  readonly #updates: Uint8Array[] = []
  readonly #copies: Copy[] = []
  readonly #createClientId: () => number
  #doc: Y.Doc
  #seq = 0

  /** `createClientId` returns the Yjs client id for changes of the document; it must be unused. */
  constructor(createClientId: () => number) {
    this.#createClientId = createClientId
    this.#doc = createScratch(createClientId())
    this.#doc.on('afterTransaction', (transaction) => this.#note(transaction))
  }

  get doc(): Y.Doc {
    return this.#doc
  }

  /** The run that wrote this row, or on whose suggestions the row decides; `undefined` for all other rows. */
  runOf(seq: number): string | undefined {
    const kind = this.#rows.get(seq)
    return kind === undefined || kind.kind === 'undo' ? undefined : kind.run
  }

  isDecision(seq: number): boolean {
    return this.#rows.get(seq)?.kind === 'decision'
  }

  isUndo(seq: number): boolean {
    return this.#rows.get(seq)?.kind === 'undo'
  }

  /** Replays further rows, in their order. @throws what Yjs throws for an update that can't be applied. */
  apply(rows: readonly HistoryRow[]): void {
    // Only rows of runs need to be told apart: users' rows between them are applied as one transaction.
    let people: HistoryRow[] = []
    for (const row of rows) {
      if (row.run === null && row.copies === undefined) {
        people.push(row)
        continue
      }
      this.#applyPeople(people)
      people = []
      this.#rows.set(row.seq, kindOf(row))
      this.#applyUpdates(row.seq, [row.bytes])
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
      last.seq,
      rows.map(({ bytes }) => bytes),
    )
  }

  #applyUpdates(seq: number, updates: readonly Uint8Array[]): void {
    this.#seq = seq
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
      this.inserted.add({ client, clock: before, len: clock - before }, this.#seq)
    }
    for (const [client, ranges] of transaction.deleteSet.clients) {
      const before = transaction.beforeState.get(client) ?? 0
      for (const { clock, len } of ranges) {
        const known = Math.max(0, Math.min(len, before - clock))
        this.deleted.add({ client, clock, len: known }, this.#seq)
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
      const cause = block?.deleted ? this.deleted.get(block.id.client, block.id.clock) : undefined
      this.deleted.add(struct.range, cause ?? this.#seq)
    }
  }
}

function kindOf({ actor, run, copies }: HistoryRow): RowKind {
  if (copies || run === null) return { kind: 'undo' }
  return { kind: actor === agentIdentity.id ? 'run' : 'decision', run }
}

/** The item of the type that contains this item; null at the top level. */
export function parentItem(item: Y.Item): Y.Item | null {
  return item.parent instanceof Y.AbstractType ? item.parent._item : null
}

/** The structs that a range of ids covers, cut to the range. */
export function structsIn(doc: Y.Doc, { client, clock, len }: IdRange): { struct: Y.Item | Y.GC; range: IdRange }[] {
  const found: { struct: Y.Item | Y.GC; range: IdRange }[] = []
  const end = clock + len
  let position = clock
  while (position < end) {
    const struct: Y.Item | Y.GC = Y.getItem(doc.store, Y.createID(client, position))
    const until = Math.min(end, struct.id.clock + struct.length)
    found.push({ struct, range: { client, clock: position, len: until - position } })
    position = until
  }
  return found
}

/** A set of ids as a Yjs `DeleteSet`. */
export function toDeleteSet(ranges: readonly IdRange[]): ReturnType<typeof Y.createDeleteSet> {
  const set = Y.createDeleteSet()
  const sorted = ranges.toSorted((a, b) => a.clock - b.clock)
  for (const { client, clock, len } of sorted) {
    const known = set.clients.get(client) ?? []
    const last = known.at(-1)
    if (last && last.clock + last.len >= clock) {
      const until = Math.max(last.clock + last.len, clock + len)
      known[known.length - 1] = { clock: last.clock, len: until - last.clock }
    } else {
      known.push({ clock, len })
    }
    set.clients.set(client, known)
  }
  return set
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
