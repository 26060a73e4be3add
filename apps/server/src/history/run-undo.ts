import { extname } from 'node:path'
import type { Run, User } from '@copydesk/protocol'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import type { Kysely, Transaction } from 'kysely'
import * as Y from 'yjs'
import { RequestError } from '../errors.ts'
import { putRun } from '../room/room.ts'
import type { RunStore } from '../runs/run-store.ts'
import type { ServerWriter } from '../store/server-writer.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { ThreadWorker } from '../threads/thread-worker.ts'
import { agentIdentity } from '../collaboration/identity.ts'
import { readHistory } from './history-rows.ts'
import { clearOpenReceipts, cutPart, findOpenRows } from './open-calls.ts'
import { showStandingChanges } from './standing-changes.ts'
import type { UndoRequest, UndoResponse } from './undo-requests.ts'
import { nothingToUndo, readParts, stateAfter, storeState, type UndoWish } from './undo-state.ts'

export type RunUndoDeps = {
  db: Kysely<Tables>
  writer: ServerWriter
  runs: RunStore
  documents: { noteTitle(document: string, title: string): Promise<void> }
  now: () => number
  createId: () => string
}

/** What is taken back or put back, as the ledger names it, of which run, and who wants it. */
type UndonePartOfRun = { run: string; document: string; part: string; by: string }

const loadWithinMs = 60_000
// The store takes a transaction back after ten seconds.
const planWithinMs = 8000

/**
 * Takes back what a run, or one step of it, has changed, and puts it back: from the log alone, so at once and after a
 * restart. The log is replayed in a thread of its own before the transaction, and what has come meanwhile in it, so that
 * nobody's edit falls between.
 */
export class RunUndo {
  readonly #deps: RunUndoDeps
  readonly #thread = new ThreadWorker<UndoRequest, UndoResponse>(
    new URL(`./undo-thread${extname(import.meta.url)}`, import.meta.url),
  )
  constructor(deps: RunUndoDeps) {
    this.#deps = deps
  }

  /**
   * Answers the run when the change is in the document and on disk.
   * @throws RequestError `not_found` for an unknown run or step, `conflict` if it is going, has changed nothing, or is
   * already as wished.
   */
  async change(document: string, run: string, wish: UndoWish, by: User): Promise<Run> {
    const { db, createId } = this.#deps
    // What can be refused is refused before anything is replayed.
    await this.#require(document, run, wish, db)
    const ticket = createId()
    const rows = await readHistory(db, contentName(document), 0)
    await this.#thread.ask({ kind: 'load', ticket, rows }, loadWithinMs)
    try {
      return await this.#write(document, run, wish, by, ticket, rows.at(-1)?.seq ?? 0)
    } finally {
      // After a plan there is nothing left to drop; after a failure before it there is.
      await this.#thread.ask({ kind: 'drop', ticket })
    }
  }

  /**
   * Takes back what a worker that died had shown of calls which the model was still writing. `prefix` is what the run's receipts begin
   * with. Does nothing where nothing is open.
   */
  async takeBackOpenCalls({ id: run, document }: RunRow, prefix: string): Promise<void> {
    const { db, createId } = this.#deps
    const name = contentName(document)
    const found = findOpenRows(await readHistory(db, name, 0), run, prefix)
    if (found.length > 0) {
      const values = found.map((seq) => ({ name, seq, run }))
      await db
        .insertInto('cut_rows')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    const ticket = createId()
    const rows = await readHistory(db, name, 0)
    await this.#thread.ask({ kind: 'load', ticket, rows }, loadWithinMs)
    try {
      const author = { actor: agentIdentity.id, run }
      await this.#deps.writer.write(name, author, async ({ doc, trx }) => {
        const part = { run, document, part: cutPart(run), by: agentIdentity.id }
        await this.#apply(trx, doc, part, { kind: 'undo' }, ticket, rows.at(-1)?.seq ?? 0)
        clearOpenReceipts(doc, prefix)
      })
    } finally {
      await this.#thread.ask({ kind: 'drop', ticket })
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #require(document: string, run: string, wish: UndoWish, db: Kysely<Tables>) {
    const row = await this.#deps.runs.findRow(run, db)
    if (row?.document !== document) {
      throw new RequestError('not_found', 'There is no such run in this document.')
    }
    const steps = await db.selectFrom('run_steps').selectAll().where('run', '=', run).orderBy('position').execute()
    return { row, steps, after: stateAfter(row, steps, wish) }
  }

  async #write(
    document: string,
    run: string,
    wish: UndoWish,
    by: User,
    ticket: string,
    loadedTo: number,
  ): Promise<Run> {
    const names = [contentName(document), roomName(document)]
    let title: string | undefined
    const shown = await this.#deps.writer.writeMany(names, { actor: by.id, run }, async ({ docs, trx }) => {
      const content = docs.get(contentName(document))
      const room = docs.get(roomName(document))
      if (!content || !room) throw new Error(`no log of ${document}`)
      const { steps, after } = await this.#require(document, run, wish, trx)
      await storeState(trx, run, after)
      const titleBefore = titleOf(content)
      const part = { run, document, part: run, by: by.id }
      const isDone = await this.#apply(trx, content, part, wish, ticket, loadedTo)
      if (!isDone && !steps.some(({ changed }) => changed === 1)) throw nothingToUndo('run')
      if (titleOf(content) !== titleBefore) title = titleOf(content)
      await showStandingChanges(trx, document, content, room)
      const found = await this.#deps.runs.find(run, trx)
      if (!found) throw new Error(`the run ${run} is gone`)
      putRun(room, found)
      return found
    })
    if (title !== undefined) await this.#deps.documents.noteTitle(document, title)
    return shown
  }

  /** Brings the content to how the runs now stand. Answers whether that changed anything. */
  async #apply(
    trx: Transaction<Tables>,
    content: Y.Doc,
    { run, document, part, by }: UndonePartOfRun,
    { kind, step }: UndoWish,
    ticket: string,
    loadedTo: number,
  ): Promise<boolean> {
    const name = contentName(document)
    const rows = await readHistory(trx, name, loadedTo)
    const parts = await readParts(trx, document)
    const planned = await this.#thread.ask({ kind: 'plan', ticket, rows, run: part, ...parts }, planWithinMs)
    if (planned.kind !== 'planned') {
      const message = `This can't be ${kind === 'undo' ? 'undone' : 'redone'} any more: the document would not hold together.`
      throw new RequestError('conflict', message, 'Take back by hand what is left of it.')
    }
    if (!planned.update) return false
    Y.applyUpdate(content, planned.update)
    const { seq } = await trx.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirstOrThrow()
    const copies = JSON.stringify(planned.copies)
    await trx
      .insertInto('run_undos')
      // The row that this write is about to add.
      .values({ name, seq: seq + 1, run, step: step ?? null, kind, copies, actor: by, at: this.#deps.now() })
      .execute()
    return true
  }
}

function titleOf(content: Y.Doc): string | undefined {
  const title = content.getMap(contentTypes.meta).get('title')
  return typeof title === 'string' ? title : undefined
}
