import { contentName, contentTypes, roomName } from '@copydesk/schema'
import { anchorOf, contextOf, findQuote, findThreadRanges, markThread } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { serverActor } from '../collaboration/identity.ts'
import { putThread, removeChanges, shownHands } from '../room/review.ts'
import type { ServerWriter } from '../store/server-writer.ts'
import type { Tables, ThreadRow } from '../store/tables.ts'
import { type Content, readContent, writeContent } from './content.ts'
import { readHead } from './head-reader.ts'
import { presentReviewIds } from './review-ids.ts'
import { type Db, findChanges, findHands, findThread, toThread } from './review-rows.ts'
import { showOrStrip } from './stray-marks.ts'

export type AnchoringDeps = { db: Kysely<Tables>; writer: ServerWriter; now: () => number }

/** How often the words around threads are noted anew while a document is being edited. */
const noteEveryMs = 10_000
const remembered = 1000
const rowsBehind = 500
const markedLimit = 2000

type Scope = { document: string; content: Y.Doc; room: Y.Doc; trx: Transaction<Tables> }

/**
 * Keeps threads at their text, and the room's list of suggested changes equal to the content, while people cut, paste and retype. A
 * thread whose mark is gone is marked again where its words stand now, or shown as orphaned until they are back.
 */
export class Anchoring {
  readonly #deps: AnchoringDeps
  readonly #notedAt = new Map<string, number>()
  readonly #writtenAt = new Map<string, number>()
  /** The heads of the logs of documents in which there was nothing to do, not even to note. */
  readonly #settledAt = new Map<string, string>()
  constructor(deps: AnchoringDeps) {
    this.#deps = deps
  }

  /**
   * Looks after one document. Takes a lock only if there is something to write, and costs next to nothing where there are neither
   * threads nor suggested changes, or nothing has come since the last look. `isThorough` also notes the words around threads, whenever that was last done.
   */
  async settle(document: string, isThorough = false): Promise<void> {
    const { db, writer } = this.#deps
    if (!(await hasReview(db, document))) return
    const heads = await headsOf(db, document)
    if (this.#settledAt.get(document) === heads) return
    const withContexts = isThorough || this.#isDue(document)
    if (!(await this.#isFarOn(document)) && (await isSettled(db, document, withContexts))) {
      if (withContexts) remember(this.#settledAt, document, heads)
      return
    }
    const names = [contentName(document), roomName(document)]
    await writer.writeMany(names, { actor: serverActor }, async ({ docs, trx }) => {
      const [content, room] = names.map((name) => docs.get(name))
      if (!content || !room) throw new Error(`no documents of ${document}`)
      return settleIn({ document, content, room, trx }, withContexts)
    })
  }

  // The writer reads the rows that it doesn't have yet under its lock: it isn't to fall far behind where there is nothing to write.
  async #isFarOn(document: string): Promise<boolean> {
    const log = this.#deps.db.selectFrom('logs').select('seq').where('name', '=', contentName(document))
    const { seq } = await log.executeTakeFirstOrThrow()
    if (seq - (this.#writtenAt.get(document) ?? 0) < rowsBehind) return false
    remember(this.#writtenAt, document, seq)
    return true
  }

  #isDue(document: string): boolean {
    const now = this.#deps.now()
    if (now - (this.#notedAt.get(document) ?? 0) < noteEveryMs) return false
    remember(this.#notedAt, document, now)
    return true
  }
}

function remember<T>(map: Map<string, T>, document: string, value: T): void {
  if (map.size >= remembered) map.clear()
  map.set(document, value)
}

/** How far content and room of a document have come: whatever is done with its review writes one of them. */
async function headsOf(db: Kysely<Tables>, document: string): Promise<string> {
  const logs = db
    .selectFrom('logs')
    .select('seq')
    .where('name', 'in', [contentName(document), roomName(document)])
  const rows = await logs.orderBy('name').execute()
  return rows.map(({ seq }) => seq).join(' ')
}

async function settleIn(scope: Scope, withContexts: boolean): Promise<void> {
  const { document, content, room, trx } = scope
  const present = presentReviewIds(content.getXmlFragment(contentTypes.fragment))
  await settleChanges(scope, present.changes)
  const rows = await openThreads(trx, document)
  const lost = rows.filter(({ id }) => !present.threads.has(id))
  const found = new Set(markAgain(content, lost))
  const isAnchored = (row: ThreadRow): boolean => present.threads.has(row.id) || found.has(row.id)
  const moved = rows.filter((row) => (row.orphaned === 1) === isAnchored(row))
  for (const row of moved) {
    await trx
      .updateTable('threads')
      .set({ orphaned: isAnchored(row) ? 0 : 1 })
      .where('document', '=', document)
      .where('id', '=', row.id)
      .execute()
    const now = await findThread(trx, document, row.id)
    if (now) putThread(room, toThread(now.row, now.comments))
  }
  if (withContexts || found.size > 0) await noteContexts(scope, rows.filter(isAnchored))
}

/** Whether `settleIn` would write nothing. Locks nothing; what it can't read is for `settleIn` to judge. */
async function isSettled(db: Kysely<Tables>, document: string, withContexts: boolean): Promise<boolean> {
  const threads = await openThreads(db, document)
  const room = await readHead(db, roomName(document))
  const content = await readHead(db, contentName(document))
  if (!room || !content) return false
  const present = presentReviewIds(content.getXmlFragment(contentTypes.fragment))
  const isPresent = ({ id }: ThreadRow): boolean => present.threads.has(id)
  if (threads.some((row) => isPresent(row) === (row.orphaned === 1))) return false
  const read = withContexts || !threads.every(isPresent) ? readContent(content) : undefined
  if (read?.ok) {
    const isChanged = (row: ThreadRow): boolean =>
      isPresent(row) ? withContexts && contextNow(read, row).length > 0 : markFor(read.node, row) !== undefined
    if (threads.some(isChanged)) return false
  }
  const { gone, missing } = await compareChanges(db, document, room, present.changes)
  return gone.length === 0 && (await findChanges(db, document, missing)).size === 0
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

/** What the room shows of changes whose text is gone, and which it doesn't show, or not with everybody who has written into them. */
async function compareChanges(
  db: Db,
  document: string,
  room: Y.Doc,
  present: ReadonlySet<string>,
): Promise<{ gone: string[]; missing: string[] }> {
  const shown = shownHands(room)
  const hands = await findHands(db, document)
  return {
    gone: [...shown.keys()].filter((id) => !present.has(id)),
    missing: [...present].filter((id) => !shown.has(id) || (shown.get(id) ?? 0) < (hands.get(id)?.length ?? 0)),
  }
}

/** Drops changes from the room whose text is gone, and looks after those that it doesn't show as they are. */
async function settleChanges({ document, content, room, trx }: Scope, present: ReadonlySet<string>): Promise<void> {
  const { gone, missing } = await compareChanges(trx, document, room, present)
  removeChanges(room, gone)
  showOrStrip(content, room, [...(await findChanges(trx, document, missing)).values()])
}

/** Marks lost threads where their words stand now; the ids of those that were found. */
function markAgain(doc: Y.Doc, lost: readonly ThreadRow[]): string[] {
  if (lost.length === 0) return []
  const content = readContent(doc)
  if (!content.ok) return []
  const found: string[] = []
  let { node } = content
  const marks = lost.flatMap((row) => {
    const mark = markFor(node, row)
    if (!mark) return []
    found.push(row.id)
    node = mark.doc
    return [mark]
  })
  if (marks.length === 0) return []
  content.fragment.doc?.transact(() => {
    for (const mark of marks) writeContent(content, mark)
  })
  return found
}

/** The mark that puts a lost thread where its words stand now, if they stand anywhere. */
function markFor(node: Node, { id, marked, quote, prefix, suffix }: ThreadRow): Transform | undefined {
  const range = findQuote(node, { quote: marked || quote, prefix, suffix })
  const mark = range && markThread(node, id, range)
  return mark && mark.steps.length > 0 ? mark : undefined
}

async function noteContexts({ document, content: doc, trx }: Scope, rows: readonly ThreadRow[]): Promise<void> {
  const content = readContent(doc)
  if (!content.ok) return
  const changed = rows.flatMap((row) => contextNow(content, row))
  for (const { id, ...context } of changed) {
    await trx.updateTable('threads').set(context).where('document', '=', document).where('id', '=', id).execute()
  }
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
