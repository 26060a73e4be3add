import type { Run, User } from '@copydesk/protocol'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import type { Kysely, Transaction } from 'kysely'
import * as Y from 'yjs'
import { RequestError } from '../common/errors.ts'
import { putRun } from '../room/room.ts'
import type { Check } from '../review/review-rows.ts'
import type { RunStore } from '../runs/run-store.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { agentIdentity } from '../common/identity.ts'
import type { LoadedLog, LogReplay } from './log-replay.ts'
import { clearOpenReceipts, cutPart, hasOpenCalls } from './open-calls.ts'
import { showReopenedChanges } from './reopened-changes.ts'
import { fileCallsOf, nothingToUndo, readParts, stateAfter, storeState, type UndoOrRedo } from './undo-state.ts'

export type RunUndoDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  runs: RunStore
  documents: { noteTitle(document: string, title: string): Promise<void> }
  replay: LogReplay
  now: () => number
}

/** Undoes or redoes the files that calls of a run have written, all or none; returns a function that reverts this. */
export type RestoreFiles = (
  trx: Transaction<Tables>,
  restored: { run: Pick<RunRow, 'id' | 'document'>; calls: readonly string[]; kind: 'undo' | 'redo'; by: User },
) => Promise<() => Promise<void>>

/** The part to undo or redo: the run, its name in the replayed log, and the requesting user. */
type UndonePartOfRun = { run: string; document: string; part: string; by: string }

// SQLite limits the number of values in one statement.
const cutRowsAtOnce = 1000

/**
 * Undoes and redoes the changes of a run or of one of its steps. Uses the log alone, so it also works after a restart.
 */
export class RunUndo {
  readonly #deps: RunUndoDeps
  constructor(deps: RunUndoDeps) {
    this.#deps = deps
  }

  /**
   * Returns the run when the change is in the document and on disk. `check` runs first in the transaction that writes,
   * and may throw. `restoreFiles` is for project files that the run has written; without it, such a run is refused as
   * `conflict`.
   * @throws RequestError `not_found` for an unknown run or step, `conflict` if the run is still running, has changed
   * nothing, or is already in the requested state, `unavailable` if it took too long; nothing has changed then.
   */
  async change(
    document: string,
    run: string,
    asked: UndoOrRedo,
    by: User,
    check?: Check,
    restoreFiles: RestoreFiles = refuseFiles,
  ): Promise<Run> {
    // Makes all refusals that don't need the replay.
    await this.#require(document, run, asked, this.#deps.db)
    return this.#deps.replay.run(
      document,
      (loaded) => this.#write(document, run, asked, by, loaded, { check, restoreFiles }),
      // An earlier request in the queue may have made the same change.
      { check: () => this.#require(document, run, asked, this.#deps.db) },
    )
  }

  /**
   * Reverts the previews, by a dead worker, of calls that the model was still writing. `prefix` is the prefix of the
   * run's receipts. The document need not be open; has no effect if no call is open. `check` runs first in the
   * transaction that writes, and may throw: nothing has changed then.
   */
  async revertOpenCalls(
    { id: run, document }: Pick<RunRow, 'id' | 'document'>,
    prefix: string,
    check: Check,
  ): Promise<void> {
    const name = contentName(document)
    const author = { actor: agentIdentity.id, run }
    if (!(await this.#deps.writer.write(name, author, ({ doc }) => hasOpenCalls(doc, prefix)))) return
    const revert = (loaded: LoadedLog): Promise<void> =>
      this.#deps.writer.write(name, author, async ({ doc, trx }) => {
        await check(trx)
        await recordCutRows(trx, name, run, loaded.cut)
        const part = { run, document, part: cutPart(run), by: agentIdentity.id }
        await this.#apply(trx, doc, part, { kind: 'undo' }, loaded)
        clearOpenReceipts(doc, prefix)
      })
    await this.#deps.replay.run(document, revert, { cut: { run, prefix } })
  }

  async #require(document: string, run: string, asked: UndoOrRedo, db: Kysely<Tables>) {
    const row = await this.#deps.runs.findRow(run, db)
    if (row?.document !== document) {
      throw new RequestError('not_found', 'There is no such run in this document.')
    }
    const steps = await db.selectFrom('run_steps').selectAll().where('run', '=', run).orderBy('position').execute()
    return { row, steps, after: stateAfter(row, steps, asked) }
  }

  async #write(
    document: string,
    run: string,
    asked: UndoOrRedo,
    by: User,
    loaded: LoadedLog,
    { check, restoreFiles }: { check: Check | undefined; restoreFiles: RestoreFiles },
  ): Promise<Run> {
    const names = [contentName(document), roomName(document)]
    let title: string | undefined
    let rollbackFiles: (() => Promise<void>) | undefined
    const shown = await this.#deps.writer
      .writeMany(names, { actor: by.id, run }, async ({ docs, trx }) => {
        await check?.(trx)
        const content = docs.get(contentName(document))
        const room = docs.get(roomName(document))
        if (!content || !room) throw new Error(`no log of ${document}`)
        const { row, steps, after } = await this.#require(document, run, asked, trx)
        await storeState(trx, run, after)
        const titleBefore = titleOf(content)
        const part = { run, document, part: run, by: by.id }
        const isDone = await this.#apply(trx, content, part, asked, loaded)
        if (!isDone && !steps.some(({ changed }) => changed === 1)) throw nothingToUndo('run')
        if (titleOf(content) !== titleBefore) title = titleOf(content)
        await showReopenedChanges(trx, document, content, room)
        const found = await this.#deps.runs.find(run, trx)
        if (!found) throw new Error(`the run ${run} is gone`)
        putRun(room, found)
        const calls = fileCallsOf(row, steps, after)
        // Last, since the transaction can be rolled back and a file can't.
        if (calls.length > 0) rollbackFiles = await restoreFiles(trx, { run: row, calls, kind: asked.kind, by })
        return found
      })
      .catch(async (error: unknown) => {
        await rollbackFiles?.()
        throw error
      })
    if (title !== undefined) await this.#deps.documents.noteTitle(document, title)
    return shown
  }

  /** Changes the content according to the current undo state of the runs. Returns whether that changed anything. */
  async #apply(
    trx: Transaction<Tables>,
    content: Y.Doc,
    { run, document, part, by }: UndonePartOfRun,
    { kind, step }: UndoOrRedo,
    loaded: LoadedLog,
  ): Promise<boolean> {
    const name = contentName(document)
    const planned = await loaded.plan(trx, { kind: 'run', run: part, ...(await readParts(trx, document)) })
    if (planned.kind !== 'planned') {
      const message =
        kind === 'undo'
          ? "This can't be undone any more: the result would not be a valid document."
          : "This can't be redone any more: the result would not be a valid document."
      throw new RequestError('conflict', message, 'Undo the rest by hand.')
    }
    if (!planned.update) return false
    Y.applyUpdate(content, planned.update)
    const { seq } = await trx.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirstOrThrow()
    const copies = JSON.stringify(planned.copies)
    await trx
      .insertInto('run_undos')
      // The seq of the row that this write will append.
      .values({ name, seq: seq + 1, run, step: step ?? null, kind, copies, actor: by, at: this.#deps.now() })
      .execute()
    return true
  }
}

async function recordCutRows(trx: Transaction<Tables>, name: string, run: string, seqs: readonly number[]) {
  for (let start = 0; start < seqs.length; start += cutRowsAtOnce) {
    await trx
      .insertInto('cut_rows')
      .values(seqs.slice(start, start + cutRowsAtOnce).map((seq) => ({ name, seq, run })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function refuseFiles(): Promise<never> {
  const message = 'This has changed files of the project, which only people can undo and redo.'
  return Promise.reject(new RequestError('conflict', message, 'Say that they find it at that answer in the chat.'))
}

function titleOf(content: Y.Doc): string | undefined {
  const title = content.getMap(contentTypes.meta).get('title')
  return typeof title === 'string' ? title : undefined
}
