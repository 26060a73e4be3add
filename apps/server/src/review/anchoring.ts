import { contentName, contentTypes, roomName } from '@copydesk/schema'
import { anchorOf, contextOf, findQuote, findThreadRanges, markThread } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { putChanges, putThread, removeChanges, shownChanges } from '../room/review.ts'
import type { ServerWriter } from '../store/server-writer.ts'
import type { Tables, ThreadRow } from '../store/tables.ts'
import { type Content, readContent, writeContent } from './content.ts'
import { findThread, toChangeRecord, toThread } from './review-rows.ts'
import { presentReviewIds } from './review-ids.ts'

export type AnchoringDeps = { db: Kysely<Tables>; writer: ServerWriter; now: () => number }

/** How often the words around threads are noted anew while a document is being edited. */
const noteEveryMs = 10_000
const remembered = 1000
const markedLimit = 2000

type Scope = { document: string; content: Y.Doc; room: Y.Doc; trx: Transaction<Tables> }

/**
 * Keeps threads at their text, and the room's list of suggested changes equal to the content, while people cut, paste and retype. A
 * thread whose mark is gone is marked again where its words stand now, or shown as orphaned until they are back.
 */
export class Anchoring {
  readonly #deps: AnchoringDeps
  readonly #notedAt = new Map<string, number>()
  constructor(deps: AnchoringDeps) {
    this.#deps = deps
  }

  /**
   * Looks after one document. Costs next to nothing where there are neither threads nor suggested changes. `isThorough` also notes the
   * words around threads, whenever that was last done.
   */
  async settle(document: string, isThorough = false): Promise<void> {
    const { db, writer } = this.#deps
    if (!(await hasReview(db, document))) return
    const names = [contentName(document), roomName(document)]
    await writer.writeMany(names, { actor: 'server' }, async ({ docs, trx }) => {
      const [content, room] = names.map((name) => docs.get(name))
      if (!content || !room) throw new Error(`no documents of ${document}`)
      return this.#settleIn({ document, content, room, trx }, isThorough)
    })
  }

  async #settleIn(scope: Scope, isThorough: boolean): Promise<void> {
    const { document, content, room, trx } = scope
    const present = presentReviewIds(content.getXmlFragment(contentTypes.fragment))
    await settleChanges(scope, present.changes)
    const rows = await trx
      .selectFrom('threads')
      .selectAll()
      .where('document', '=', document)
      .where('resolved', '=', 0)
      .execute()
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
    if (isThorough || found.size > 0 || this.#isDue(document)) await noteContexts(scope, rows.filter(isAnchored))
  }

  #isDue(document: string): boolean {
    const now = this.#deps.now()
    if (now - (this.#notedAt.get(document) ?? 0) < noteEveryMs) return false
    if (this.#notedAt.size >= remembered) this.#notedAt.clear()
    this.#notedAt.set(document, now)
    return true
  }
}

async function hasReview(db: Kysely<Tables>, document: string): Promise<boolean> {
  const thread = db.selectFrom('threads').select('id').where('document', '=', document).where('resolved', '=', 0)
  if (await thread.limit(1).executeTakeFirst()) return true
  return (
    (await db.selectFrom('changes').select('id').where('document', '=', document).limit(1).executeTakeFirst()) !==
    undefined
  )
}

/** Drops changes from the room whose text is gone, and shows those again that an undo has brought back. */
async function settleChanges({ document, room, trx }: Scope, present: ReadonlySet<string>): Promise<void> {
  const shown = new Set(shownChanges(room))
  removeChanges(
    room,
    [...shown].filter((id) => !present.has(id)),
  )
  const missing = [...present].filter((id) => !shown.has(id))
  for (let at = 0; at < missing.length; at += 500) {
    const part = missing.slice(at, at + 500)
    const rows = await trx
      .updateTable('changes')
      .set({ decision: null, decided_by: null, decided_by_name: null, decided_at: null })
      .where('document', '=', document)
      .where('id', 'in', part)
      .returningAll()
      .execute()
    putChanges(room, rows.map(toChangeRecord))
  }
}

/** Marks lost threads where their words stand now; the ids of those that were found. */
function markAgain(doc: Y.Doc, lost: readonly ThreadRow[]): string[] {
  if (lost.length === 0) return []
  const content = readContent(doc)
  if (!content.ok) return []
  const found: string[] = []
  let { node } = content
  const marks = lost.flatMap((row) => {
    const range = findQuote(node, { quote: row.marked || row.quote, prefix: row.prefix, suffix: row.suffix })
    const mark = range && markThread(node, row.id, range)
    if (!mark || mark.steps.length === 0) return []
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
