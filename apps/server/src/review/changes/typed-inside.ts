import { contentName, contentTypes } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import * as Y from 'yjs'
import { type IndexedRow, type InsertedIds, RowIndex } from '../../provenance/row-index.ts'
import type { ChangeRow, Tables } from '../../store/tables.ts'
import { readHead } from '../../store/log/head-reader.ts'
import { changeIdOf } from '../../common/review-ids.ts'
import type { Db } from '../review-rows.ts'

/** Characters of a text under the mark of a suggested change; `at` is their offset in the text. */
type Marked = { text: Y.XmlText; at: number; string: Y.Item; marker: Y.Item; key: string; row: ChangeRow }

/** Data from the log that a decision needs, read before its transaction. */
export type Preparation = {
  rows: ReadonlyMap<string, ChangeRow>
  /** For each change, the row of the log up to which its author had certainly received all rows. */
  starts: ReadonlyMap<string, number>
  index: RowIndex
}

/**
 * Reads the authors of text inserted since these changes were suggested, which may be long ago. Runs outside of any
 * transaction and in batches, so that it blocks no edits. Reads nothing if `decision` deletes no marked text.
 */
export async function prepareDecision(
  document: string,
  changes: Iterable<ChangeRow>,
  decision: 'accept' | 'reject',
  db: Kysely<Tables>,
): Promise<Preparation> {
  const name = contentName(document)
  const rows = new Map([...changes].map((row) => [row.id, row]))
  const starts = await findStarts(rows.values(), name, db)
  const runs = new Set([...rows.values()].flatMap(({ run }) => run ?? []))
  const since = [...starts.values()].reduce((a, b) => Math.min(a, b), Infinity)
  const index = new RowIndex(name, since, runs)
  if (rows.size === 0) return { rows, starts, index }
  const head = await readHead(db, name)
  const isNeeded = !head || [...findMarked(fragmentOf(head), marksOf[decision], rows)].length > 0
  if (isNeeded) await index.readNewRows(db)
  return { rows, starts, index }
}

const marksOf = { accept: /^deletion(--.{8})?$/, reject: /^insertion(--.{8})?$/ }

/**
 * Excludes text that other people typed into suggested changes, so that the decision keeps that text. Formatting in Yjs
 * is a range, and text written between its ends inherits it. Removes the marks for which `decision` would delete text
 * from all characters that were added to the log by anyone but the change's author or run, either later, or shortly
 * before a run's suggestion if the run may not have received them. Text that was only moved, as when a paragraph is
 * split, stays in the change. Writes into `content`, a replica at the log's head; reads the rows appended since
 * `prepared` over `db`.
 */
export async function excludeTypedText(
  content: Y.Doc,
  { rows, starts, index }: Preparation,
  decision: 'accept' | 'reject',
  db: Db,
): Promise<void> {
  const marked = [...findMarked(fragmentOf(content), marksOf[decision], rows)]
  if (marked.length === 0) return
  await index.readNewRows(db)
  const seen = new Map(
    marked.map(({ row }) => {
      const start = starts.get(row.id) ?? row.seq
      return [row, row.run === null ? start : index.newestReceived(row.run, row.seq, start)]
    }),
  )
  const typed = marked.flatMap((piece) => typedIn(piece, seen.get(piece.row) ?? piece.row.seq, index))
  if (typed.length === 0) return
  content.transact(() => {
    for (const { text, at, length, key } of typed) text.format(at, length, { [key]: null })
  })
}

function fragmentOf(doc: Y.Doc): Y.XmlFragment {
  return doc.getXmlFragment(contentTypes.fragment)
}

async function findStarts(rows: Iterable<ChangeRow>, name: string, db: Db): Promise<Map<string, number>> {
  const starts = new Map<string, number>()
  const heads = new Map<string, number>()
  for (const { id, run, seq } of rows) {
    const head = run === null ? seq : (heads.get(run) ?? (await headAtStart(db, name, run)))
    if (run !== null) heads.set(run, head)
    starts.set(id, Math.min(seq, head))
  }
  return starts
}

// A run joins the document after the run was created, and reads the document's state at that time.
async function headAtStart(db: Db, name: string, run: string): Promise<number> {
  const row = await db
    .selectFrom('document_updates')
    .innerJoin('runs', (join) => join.on('runs.id', '=', run))
    .select('document_updates.seq')
    .where('name', '=', name)
    .whereRef('document_updates.at', '<=', 'runs.created_at')
    .orderBy('document_updates.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? Number.POSITIVE_INFINITY
}

function* findMarked(
  type: Y.XmlFragment,
  marks: RegExp,
  rows: ReadonlyMap<string, ChangeRow>,
): Generator<Marked, void, undefined> {
  // Iterative: nested blocks may be deeper than the call stack.
  const pending: (Y.Item | null)[] = [type._start]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item === null) continue
    pending.push(item.right)
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue
    const child: unknown = item.content.type
    if (child instanceof Y.XmlText) yield* findMarkedIn(child, marks, rows)
    else if (child instanceof Y.XmlElement) pending.push(child._start)
  }
}

function* findMarkedIn(
  text: Y.XmlText,
  marks: RegExp,
  rows: ReadonlyMap<string, ChangeRow>,
): Generator<Marked, void, undefined> {
  const open = new Map<string, { marker: Y.Item; row: ChangeRow }>()
  let at = 0
  for (let item = text._start; item; item = item.right) {
    if (item.deleted) continue
    const { content } = item
    if (content instanceof Y.ContentFormat) {
      if (!marks.test(content.key)) continue
      const row = content.value === null ? undefined : rows.get(changeIdOf(content) ?? '')
      if (row) open.set(content.key, { marker: item, row })
      else open.delete(content.key)
    } else {
      if (content instanceof Y.ContentString) {
        for (const [key, { marker, row }] of open) yield { text, at, string: item, marker, key, row }
      }
      if (item.countable) at += item.length
    }
  }
}

function typedIn({ text, at, string, marker, key, row }: Marked, seen: number, index: RowIndex) {
  const isOthers = (inserted: InsertedIds): boolean => inserted.row.seq > seen && !isAuthors(inserted.row, row)
  const isMove = createMoveCheck(isOthers, index)
  const { client, clock } = string.id
  return index
    .textIn({ client, clock, len: string.length })
    .filter(({ value }) => isOthers(value) && !(index.rowOf(marker.id) === value.row && isMove(value)))
    .map(({ range }) => ({ text, at: at + range.clock - clock, length: range.len, key }))
}

function isAuthors(inserted: IndexedRow, row: ChangeRow): boolean {
  return row.run === null ? inserted.run === null && inserted.actor === row.author_id : inserted.run === row.run
}

// An editor that splits a block rewrites the second half, with its marks, and deletes the original. If others typed
// part of the deleted text, the parts can't be distinguished, and all of the rewritten text counts as typed.
function createMoveCheck(
  isOthers: (inserted: InsertedIds) => boolean,
  index: RowIndex,
): (inserted: InsertedIds) => boolean {
  const known = new Map<IndexedRow, boolean>()
  const movesOnly = ({ replaced }: IndexedRow): boolean =>
    replaced?.every((range) => index.textIn(range).every(({ value }) => !isOthers(value) || isMove(value))) ?? false
  const isMove = ({ isFresh, row }: InsertedIds): boolean => {
    if (!isFresh) return false
    const isKnown = known.get(row) ?? movesOnly(row)
    known.set(row, isKnown)
    return isKnown
  }
  return isMove
}
