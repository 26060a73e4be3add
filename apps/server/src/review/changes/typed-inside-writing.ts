import { setImmediate } from 'node:timers/promises'
import * as Y from 'yjs'
import type { LogRow } from '../../store/log/update-log.ts'
import type { Db } from '../review-rows.ts'

/** Items of one client: clocks from `from` up to but not including `to`. */
type Span = { from: number; to: number }

type Spans = Map<number, Span[]>

/** What a row of a content log says about who wrote what. */
export type Writing = {
  seq: number
  actor: string
  run: string | null
  /** The items that the row inserted. */
  items: Spans
  /** Items deleted by the row that it didn't insert itself. */
  deleted: Spans
  /** Whether it deletes at least as much text as it inserts; then it may only have moved that text. */
  isRewriting: boolean
}

/** Characters that one row inserted; `isFresh` if the row also created the text type that contains them. */
export type Written = Span & { writing: Writing; isFresh: boolean }

/** Who wrote which characters of a document after a given row of its log, as far as the log has been read. */
export type WritingIndex = {
  /** Whether no characters were written. */
  isEmpty(): boolean
  /** Who wrote which of these characters since then, in order of their clocks. */
  find(id: Y.ID, length: number): Written[]
  /**
   * The newest row up to `seq` that a run (one of those that the index was made for) had certainly seen when it wrote
   * row `seq`: an item that the run wrote until then is adjacent to an item of that row, and every client receives rows
   * in order. `since` if no row shows more.
   */
  seenBy(run: string, seq: number, since: number): number
  /** Reads the rows appended since the last reading. */
  readOn(db: Db): Promise<void>
}

const rowsAtOnce = 200
const bytesAtOnce = 256 * 1024

type RunRow = { seq: number; run: string; neighbours: Y.ID[] }

/**
 * An empty index of who wrote what in the rows after `since`. Reading costs some microseconds per row, in batches that
 * yield to the event loop. Read it before a transaction; inside the transaction, read only the rows appended meanwhile.
 */
export function createWritingIndex(name: string, since: number, runs: ReadonlySet<string>): WritingIndex {
  const written = new Map<number, Written[]>()
  const runRows: RunRow[] = []
  const shown = new Map<string, { seq: number; seen: number }[]>()
  let head = since
  const find: WritingIndex['find'] = (id, length) => findIn(written.get(id.client) ?? [], id.clock, length)
  const take = ({ bytes, ...row }: LogRow): void => {
    const update = Y.decodeUpdate(bytes)
    const { strings, ...what } = decode(update)
    const writing = { ...row, ...what }
    for (const { client, ...span } of strings) {
      const list = written.get(client) ?? []
      addNew(list, { ...span, writing })
      written.set(client, list)
    }
    const { seq, run } = row
    if (run !== null && runs.has(run)) runRows.push({ seq, run, neighbours: neighboursIn(update) })
    head = seq
  }
  return {
    isEmpty: () => written.size === 0,
    find,
    seenBy(run, seq, from) {
      const known = shown.get(run) ?? showOf(run, runRows, find)
      shown.set(run, known)
      return Math.max(from, known.findLast((row) => row.seq <= seq)?.seen ?? 0)
    },
    async readOn(db) {
      shown.clear()
      let rows: LogRow[]
      do {
        rows = await rowsAfter(db, name, head)
        let bytes = 0
        for (const row of rows) {
          take(row)
          bytes += row.bytes.length
          if (bytes < bytesAtOnce) continue
          await setImmediate()
          bytes = 0
        }
      } while (rows.length === rowsAtOnce)
    },
  }
}

function rowsAfter(db: Db, name: string, seq: number): Promise<LogRow[]> {
  return db
    .selectFrom('document_updates')
    .select(['seq', 'bytes', 'actor', 'run'])
    .where('name', '=', name)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(rowsAtOnce)
    .execute()
}

// The rows of a run, each with the newest row of another author that an item of this row or of the run's earlier rows
// is adjacent to.
function showOf(run: string, rows: readonly RunRow[], find: WritingIndex['find']): { seq: number; seen: number }[] {
  let seen = 0
  return rows.flatMap((row) => {
    if (row.run !== run) return []
    for (const { writing } of row.neighbours.flatMap((id) => find(id, 1))) {
      if (writing.run !== run) seen = Math.max(seen, writing.seq)
    }
    return { seq: row.seq, seen }
  })
}

type Update = ReturnType<typeof Y.decodeUpdate>

function neighboursIn({ structs }: Update): Y.ID[] {
  return structs.flatMap((struct) =>
    struct instanceof Y.Item ? [struct.origin, struct.rightOrigin].filter((id) => id !== null) : [],
  )
}

/** Whether `spans` include the item with this id. */
export function includesId(spans: Spans, { client, clock }: Y.ID): boolean {
  return (spans.get(client) ?? []).some(({ from, to }) => from <= clock && clock < to)
}

// The first row that contains a character determines its author; a client's rows come in the order of its clocks.
function addNew(list: Written[], written: Written): void {
  const from = Math.max(written.from, list.at(-1)?.to ?? 0)
  if (from < written.to) list.push({ ...written, from })
}

function findIn(list: readonly Written[], clock: number, length: number): Written[] {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.to ?? 0) <= clock) low = middle + 1
    else high = middle
  }
  const found: Written[] = []
  for (let index = low; index < list.length; index++) {
    const each = list[index]
    if (!each || each.from >= clock + length) break
    found.push({ ...each, from: Math.max(each.from, clock), to: Math.min(each.to, clock + length) })
  }
  return found
}

type Decoded = Pick<Writing, 'items' | 'deleted' | 'isRewriting'> & {
  strings: (Span & { client: number; isFresh: boolean })[]
}

function decode({ structs, ds }: Update): Decoded {
  const [items, deleted, fresh]: [Spans, Spans, Spans] = [new Map(), new Map(), new Map()]
  const strings: Decoded['strings'] = []
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) continue
    const { client, clock } = struct.id
    const span = { from: clock, to: clock + struct.length }
    // The first item of a new text has the text as its parent; each of the others has its predecessor as its origin.
    const isFresh =
      struct.origin === null
        ? struct.parent instanceof Y.ID && includesId(items, struct.parent)
        : includesId(fresh, struct.origin)
    add(items, client, span)
    if (isFresh) add(fresh, client, span)
    if (struct.content instanceof Y.ContentString) strings.push({ ...span, client, isFresh })
  }
  for (const [client, ranges] of ds.clients) {
    for (const { clock, len } of ranges) {
      for (const span of without({ from: clock, to: clock + len }, items.get(client) ?? [])) add(deleted, client, span)
    }
  }
  return { items, deleted, strings, isRewriting: lengthOf([...deleted.values()].flat()) >= lengthOf(strings) }
}

// The parts of a span that are in none of `others`, which are in order.
function without(span: Span, others: readonly Span[]): Span[] {
  let { from } = span
  const left: Span[] = []
  for (const other of others) {
    if (other.from > from) left.push({ from, to: Math.min(other.from, span.to) })
    from = Math.max(from, other.to)
    if (from >= span.to) return left
  }
  return [...left, { from, to: span.to }]
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
}

function add(spans: Spans, client: number, span: Span): void {
  const list = spans.get(client) ?? []
  const last = list.at(-1)
  if (last?.to === span.from) last.to = span.to
  else list.push({ ...span })
  spans.set(client, list)
}
