import { setImmediate } from 'node:timers/promises'
import { IdMap, type IdRange } from '@copydesk/schema/ids'
import type { Kysely } from 'kysely'
import * as Y from 'yjs'
import type { Tables } from '../store/tables.ts'
import { rangesOf } from '../store/updates/id-ranges.ts'
import { type DatedRow, readHistory } from './log-rows.ts'

/** A row of a content log in an index of ids. */
export type IndexedRow = Omit<DatedRow, 'bytes'> & {
  /**
   * The ids that the row deleted and didn't insert itself, if they are at least as many as the characters that it
   * inserts: then the row may only have moved that text.
   */
  replaced?: IdRange[]
}

/**
 * The row that inserted an item; `isFresh` if the row also created the text type that contains it, `isText` if the item
 * has characters.
 */
export type InsertedIds = { row: IndexedRow; isFresh: boolean; isText: boolean }

type RunRow = { seq: number; run: string; neighbours: Y.ID[] }

const rowsAtOnce = 200
const bytesAtOnce = 256 * 1024

/**
 * An index of the rows of a content log after `since` by the Yjs ids that they inserted: the first row that contains an
 * id. Initially empty. Reading costs some microseconds per row, in batches that yield to the event loop. Callers read
 * it before a transaction, and inside the transaction only the rows appended meanwhile.
 */
export class RowIndex {
  readonly #name: string
  readonly #runs: ReadonlySet<string>
  readonly #ids = new IdMap<InsertedIds>(joined)
  readonly #runRows: RunRow[] = []
  readonly #received = new Map<string, { seq: number; seen: number }[]>()
  #head: number

  /** `runs` are the runs for which `newestReceived` may be called. */
  constructor(name: string, since: number, runs: ReadonlySet<string>) {
    this.#name = name
    this.#head = since
    this.#runs = runs
  }

  /** The row that inserted an id after `since`. */
  rowOf(id: Y.ID): IndexedRow | undefined {
    return this.#ids.get(id)?.row
  }

  /** The characters of a range that were inserted after `since`, in order. */
  textIn(range: IdRange): { range: IdRange; value: InsertedIds }[] {
    return this.#ids.found(range).filter(({ value }) => value.isText)
  }

  /**
   * The newest row up to `seq` that a run had certainly received when it wrote row `seq`: an item that the run wrote
   * until then is adjacent to a character of that row, and every client receives rows in order. `since` if there is no
   * such row.
   */
  newestReceived(run: string, seq: number, since: number): number {
    const known = this.#received.get(run) ?? this.#findReceived(run)
    this.#received.set(run, known)
    return Math.max(since, known.findLast((row) => row.seq <= seq)?.seen ?? 0)
  }

  /** Reads the rows appended since the last call. */
  async readNewRows(db: Kysely<Tables>): Promise<void> {
    this.#received.clear()
    let rows: DatedRow[]
    do {
      rows = await readHistory(db, this.#name, this.#head, rowsAtOnce)
      let bytes = 0
      for (const row of rows) {
        this.#add(row)
        bytes += row.bytes.length
        if (bytes < bytesAtOnce) continue
        await setImmediate()
        bytes = 0
      }
    } while (rows.length === rowsAtOnce)
  }

  #add({ bytes, ...row }: DatedRow): void {
    const { structs, ds } = Y.decodeUpdate(bytes)
    const items = structs.filter((struct) => struct instanceof Y.Item)
    const indexed: IndexedRow = { ...row }
    let characters = 0
    for (const item of items) {
      const isText = item.content instanceof Y.ContentString
      if (isText) characters += item.length
      const range = { client: item.id.client, clock: item.id.clock, len: item.length }
      this.#ids.addNew(range, { row: indexed, isFresh: this.#isFresh(item, indexed), isText })
    }
    const others = [...rangesOf(ds)]
      .flatMap((range) => this.#ids.pieces(range))
      .filter((piece) => !piece.found || piece.value.row !== indexed)
    if (others.reduce((sum, { range }) => sum + range.len, 0) >= characters) {
      indexed.replaced = others.map(({ range }) => range)
    }
    const { seq, run } = row
    if (run !== null && this.#runs.has(run)) this.#runRows.push({ seq, run, neighbours: items.flatMap(neighboursOf) })
    this.#head = seq
  }

  /** The first item of a new text has the text as its parent; each of the others has its predecessor as its origin. */
  #isFresh({ origin, parent }: Y.Item, row: IndexedRow): boolean {
    if (origin === null) return parent instanceof Y.ID && this.rowOf(parent) === row
    const before = this.#ids.get(origin)
    return before?.row === row && before.isFresh
  }

  // The rows of a run, each with the newest row of another author to which an item of this row or of the run's earlier
  // rows is adjacent.
  #findReceived(run: string): { seq: number; seen: number }[] {
    let seen = 0
    return this.#runRows
      .filter((row) => row.run === run)
      .map(({ seq, neighbours }) => {
        for (const id of neighbours) {
          const beside = this.#ids.get(id)
          if (beside?.isText && beside.row.run !== run) seen = Math.max(seen, beside.row.seq)
        }
        return { seq, seen }
      })
  }
}

function joined(ids: InsertedIds, next: InsertedIds): InsertedIds | undefined {
  return ids.row === next.row && ids.isFresh === next.isFresh && ids.isText === next.isText ? ids : undefined
}

function neighboursOf({ origin, rightOrigin }: Y.Item): Y.ID[] {
  return [origin, rightOrigin].filter((id) => id !== null)
}
