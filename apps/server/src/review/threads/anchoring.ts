import { setImmediate } from 'node:timers/promises'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import { anchorOf, contextOf, findQuote, findThreadRanges, markThread } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { serverActor } from '../../common/identity.ts'
import { changesInRoom, putThread, removeChanges, shownContributors } from '../../room/review.ts'
import type { DocumentTransactions } from '../../store/log/document-transactions.ts'
import type { Tables, ThreadRow } from '../../store/tables.ts'
import { type Content, readContent, writeContent } from '../content.ts'
import { readHead } from '../../store/log/head-reader.ts'
import { presentReviewIds } from '../../common/review-ids.ts'
import { countContributors, type Db, findChanges } from '../review-rows.ts'
import { findThreads, toThread } from './thread-rows.ts'
import { showOrStrip } from '../stray-marks.ts'

export type AnchoringDeps = { db: Kysely<Tables>; writer: DocumentTransactions; now: () => number }

/**
 * Minimum interval between two updates of the stored context of threads while a document is being edited, in
 * milliseconds.
 */
const updateContextsEveryMs = 10_000
const remembered = 1000
const rowsBehind = 500
const markedLimit = 2000
/**
 * Maximum number of threads without text that one pass searches for, and maximum that one write marks again. A document
 * has at most 5,000.
 */
const searchedAtOnce = 500
const markedAtOnce = 200
/**
 * Maximum number of threads that one write updates (a write blocks all other writers), and of such writes in sequence.
 */
const writtenAtOnce = 500
const rounds = 25
/** Characters searched, which takes some milliseconds, before the search yields to the event loop. */
const charactersInTurn = 4_000_000

type Scope = { document: string; content: Y.Doc; room: Y.Doc; trx: Transaction<Tables> }

/**
 * Keeps threads anchored to their text, and the room's list of suggested changes equal to the content, while users cut,
 * paste and retype. A thread whose mark was deleted is marked again where its quote now occurs, or shown as orphaned
 * until the quote occurs again.
 */
export class Anchoring {
  readonly #deps: AnchoringDeps
  readonly #contextsUpdatedAt = new Map<string, number>()
  readonly #writtenAt = new Map<string, number>()
  /** Log heads at which a document needed no write, not even of contexts. */
  readonly #settledAt = new Map<string, string>()
  readonly #searchedTo = new Map<string, number>()
  constructor(deps: AnchoringDeps) {
    this.#deps = deps
  }

  /**
   * Settles one document. Takes a lock only if there is something to write. The cost is very small if the document has
   * neither threads nor suggested changes, or if nothing was appended since the last pass. `isThorough` also updates
   * the stored contexts of threads, regardless of their last update.
   */
  async settle(document: string, isThorough = false): Promise<void> {
    const { db } = this.#deps
    if (!(await hasReview(db, document))) return
    const heads = await headsOf(db, document)
    if (this.#settledAt.get(document) === heads) return
    const withContexts = isThorough || this.#isDue(document)
    let isMore = true
    // Other writers get the lock between two writes.
    for (let round = 0; isMore && round < rounds; round++)
      isMore = await this.#settlePart(document, heads, withContexts)
  }

  /** Returns whether some work was left because it was too much for one write. */
  async #settlePart(document: string, heads: string, withContexts: boolean): Promise<boolean> {
    const { db, writer } = this.#deps
    const hasManyNewRows = await this.#hasManyNewRows(document)
    const seen = await examine(db, document, withContexts, (lost) => this.#nextLost(document, lost))
    if (!hasManyNewRows && seen.isSettled) {
      if (withContexts && seen.isWhole) remember(this.#settledAt, document, heads)
      return false
    }
    const names = [contentName(document), roomName(document)]
    return writer.writeMany(names, { actor: serverActor }, async ({ docs, trx }) => {
      const [content, room] = names.map((name) => docs.get(name))
      if (!content || !room) throw new Error(`no documents of ${document}`)
      return settleIn({ document, content, room, trx }, withContexts, seen.found)
    })
  }

  // If very many threads have lost their text, each pass searches for the next of them in rotation.
  #nextLost(document: string, lost: readonly ThreadRow[]): readonly ThreadRow[] {
    if (lost.length <= searchedAtOnce) return lost
    const from = (this.#searchedTo.get(document) ?? 0) % lost.length
    remember(this.#searchedTo, document, from + searchedAtOnce)
    return [...lost.slice(from), ...lost.slice(0, from)].slice(0, searchedAtOnce)
  }

  // The writer reads missing rows while it holds its lock. Regular writes keep the number of these rows small even if
  // there is nothing to write.
  async #hasManyNewRows(document: string): Promise<boolean> {
    const log = this.#deps.db.selectFrom('logs').select('seq').where('name', '=', contentName(document))
    const { seq } = await log.executeTakeFirstOrThrow()
    if (seq - (this.#writtenAt.get(document) ?? 0) < rowsBehind) return false
    remember(this.#writtenAt, document, seq)
    return true
  }

  #isDue(document: string): boolean {
    const now = this.#deps.now()
    if (now - (this.#contextsUpdatedAt.get(document) ?? 0) < updateContextsEveryMs) return false
    remember(this.#contextsUpdatedAt, document, now)
    return true
  }
}

function remember<T>(map: Map<string, T>, document: string, value: T): void {
  if (map.size >= remembered) map.clear()
  map.set(document, value)
}

/** The log heads of a document's content and room. Every change of its review appends to one of the two. */
async function headsOf(db: Kysely<Tables>, document: string): Promise<string> {
  const logs = db
    .selectFrom('logs')
    .select('seq')
    .where('name', 'in', [contentName(document), roomName(document)])
  const rows = await logs.orderBy('name').execute()
  return rows.map(({ seq }) => seq).join(' ')
}

/** `found` are the threads that can be marked again, if known. Returns whether some work is left for another write. */
async function settleIn(scope: Scope, withContexts: boolean, found: ReadonlySet<string> | undefined): Promise<boolean> {
  const { document, content, trx } = scope
  const present = presentReviewIds(content.getXmlFragment(contentTypes.fragment))
  await settleChanges(scope, present.changes)
  const rows = await openThreads(trx, document)
  const lost = rows.filter(({ id }) => !present.threads.has(id) && (found?.has(id) ?? true)).slice(0, markedAtOnce)
  const marked = new Set(markAgain(content, lost))
  const isAnchored = (row: ThreadRow): boolean => present.threads.has(row.id) || marked.has(row.id)
  const moved = rows.filter((row) => (row.orphaned === 1) === isAnchored(row))
  await showMoved(scope, moved.slice(0, writtenAtOnce))
  const noted = withContexts || marked.size > 0 ? await updateContexts(scope, rows.filter(isAnchored)) : 0
  return marked.size === markedAtOnce || moved.length > writtenAtOnce || noted > writtenAtOnce
}

/** Changes the orphaned state of these threads, which have lost their text or have it again. */
async function showMoved({ document, room, trx }: Scope, moved: readonly ThreadRow[]): Promise<void> {
  for (const row of moved) {
    await trx
      .updateTable('threads')
      .set({ orphaned: row.orphaned === 1 ? 0 : 1 })
      .where('document', '=', document)
      .where('id', '=', row.id)
      .execute()
  }
  const ids = moved.map(({ id }) => id)
  const now = await findThreads(trx, document, ids)
  // One update instead of hundreds, which would have to be merged.
  room.transact(() => {
    for (const { row, comments } of now) putThread(room, toThread(row, comments))
  })
}

/**
 * Result of a pass: whether `settleIn` would write nothing, which threads can be marked again, and whether all lost
 * threads were searched for.
 */
type Examination = { isSettled: boolean; isWhole: boolean; found: ReadonlySet<string> | undefined }

/**
 * Reads without a lock. If a document can't be read, `settleIn` decides. `nextLost` selects the lost threads of this
 * search.
 */
async function examine(
  db: Kysely<Tables>,
  document: string,
  withContexts: boolean,
  nextLost: (lost: readonly ThreadRow[]) => readonly ThreadRow[],
): Promise<Examination> {
  const threads = await openThreads(db, document)
  const room = await readHead(db, roomName(document))
  const content = await readHead(db, contentName(document))
  if (!room || !content) return { isSettled: false, isWhole: false, found: undefined }
  const present = presentReviewIds(content.getXmlFragment(contentTypes.fragment))
  const isPresent = ({ id }: ThreadRow): boolean => present.threads.has(id)
  const lost = threads.filter((row) => !isPresent(row))
  const read = withContexts || lost.length > 0 ? readContent(content) : undefined
  const areOrphansCurrent = threads.every((row) => isPresent(row) !== (row.orphaned === 1))
  const isContextCurrent = (row: ThreadRow): boolean => !read?.ok || !withContexts || contextNow(read, row).length === 0
  const isCurrent = areOrphansCurrent && threads.filter(isPresent).every(isContextCurrent)
  // After the next `await`, `room` and `content` are no longer valid.
  const { gone, missing } = await compareChanges(db, document, shownContributors(room), present.changes)
  const searched = nextLost(lost)
  const found = read?.ok ? await search(read.node, searched) : new Set<string>()
  const isSettled = isCurrent && found.size === 0 && gone.length === 0
  return {
    isSettled: isSettled && (await findChanges(db, document, missing)).size === 0,
    isWhole: searched.length === lost.length,
    found,
  }
}

/** The threads among `rows` whose quote occurs in `node`, at most as many as one write marks. */
async function search(node: Node, rows: readonly ThreadRow[]): Promise<Set<string>> {
  const found = new Set<string>()
  const perTurn = Math.ceil(charactersInTurn / (node.content.size + 1))
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % perTurn === 0) await setImmediate()
    if (found.size >= markedAtOnce) break
    if (markFor(node, node, row)) found.add(row.id)
  }
  return found
}

function openThreads(db: Db, document: string): Promise<ThreadRow[]> {
  return db.selectFrom('threads').selectAll().where('document', '=', document).where('resolved', '=', 0).execute()
}

async function hasReview(db: Kysely<Tables>, document: string): Promise<boolean> {
  const thread = db.selectFrom('threads').select('id').where('document', '=', document).where('resolved', '=', 0)
  if (await thread.limit(1).executeTakeFirst()) return true
  return (
    (await db.selectFrom('changes').select('id').where('document', '=', document).limit(1).executeTakeFirst()) !==
    undefined
  )
}

/**
 * Changes shown in the room whose text was deleted (`gone`), and changes that the room doesn't show, or shows without
 * all of their contributors (`missing`).
 */
async function compareChanges(
  db: Db,
  document: string,
  shown: ReadonlyMap<string, number>,
  present: ReadonlySet<string>,
): Promise<{ gone: string[]; missing: string[] }> {
  const contributors = await countContributors(db, document)
  const gone = [...shown.keys()].filter((id) => !present.has(id))
  const unshown = [...present].filter((id) => !shown.has(id))
  const behind = [...shown].filter(([id, count]) => present.has(id) && count < (contributors.get(id) ?? 0))
  const room = Math.max(0, changesInRoom - shown.size + gone.length)
  return { gone, missing: [...unshown.slice(0, room), ...behind.map(([id]) => id)] }
}

/** Removes changes without text from the room, and shows or strips those that the room lacks or shows incompletely. */
async function settleChanges({ document, content, room, trx }: Scope, present: ReadonlySet<string>): Promise<void> {
  const { gone, missing } = await compareChanges(trx, document, shownContributors(room), present)
  removeChanges(room, gone)
  showOrStrip(content, room, [...(await findChanges(trx, document, missing)).values()])
}

/** Marks lost threads where their quotes now occur, all in one transform; returns the ids of the threads found. */
function markAgain(doc: Y.Doc, lost: readonly ThreadRow[]): string[] {
  if (lost.length === 0) return []
  const content = readContent(doc)
  if (!content.ok) return []
  const found: string[] = []
  const marks = new Transform(content.node)
  for (const row of lost) {
    const mark = markFor(content.node, marks.doc, row)
    if (!mark) continue
    found.push(row.id)
    for (const step of mark.steps) marks.step(step)
  }
  writeContent(content, marks)
  return found
}

/**
 * The transform that marks a lost thread where its quote now occurs, if it occurs in `text`. It applies to `node`, the
 * same text with other marks; marks don't move positions.
 */
function markFor(text: Node, node: Node, { id, marked, quote, prefix, suffix }: ThreadRow): Transform | undefined {
  const range = findQuote(text, { quote: marked || quote, prefix, suffix })
  const mark = range && markThread(node, id, range)
  return mark && mark.steps.length > 0 ? mark : undefined
}

/**
 * Stores the current quote and context of threads, for at most as many as one write updates; returns how many have
 * changed.
 */
async function updateContexts({ document, content: doc, trx }: Scope, rows: readonly ThreadRow[]): Promise<number> {
  const content = readContent(doc)
  if (!content.ok) return 0
  const changed = rows.flatMap((row) => contextNow(content, row))
  for (const { id, ...context } of changed.slice(0, writtenAtOnce)) {
    await trx.updateTable('threads').set(context).where('document', '=', document).where('id', '=', id).execute()
  }
  return changed.length
}

const rangesOf = new WeakMap<Node, ReturnType<typeof findThreadRanges>>()

function contextNow(
  { node }: Content,
  row: ThreadRow,
): { id: string; marked: string; prefix: string; suffix: string }[] {
  let ranges = rangesOf.get(node)
  if (!ranges) rangesOf.set(node, (ranges = findThreadRanges(node)))
  const range = anchorOf(ranges.get(row.id) ?? [])
  if (!range) return []
  const { quote, prefix, suffix } = contextOf(node, range.from, range.to)
  const marked = quote.slice(0, markedLimit).toWellFormed()
  if (marked === '' || (marked === row.marked && prefix === row.prefix && suffix === row.suffix)) return []
  return [{ id: row.id, marked, prefix, suffix }]
}
