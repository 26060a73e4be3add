import type { Kysely, Transaction } from 'kysely'
import { recordAuditEvent } from '../audit/audit.ts'
import { RequestError } from '../common/errors.ts'
import type { Signals } from '../common/signals.ts'
import { Repetition } from '../common/repetition.ts'
import { dayMs, isOver } from '../common/time.ts'
import type { Images } from '../images/images.ts'
import { accessOfRole } from '../rights/access.ts'
import { lockItem } from '../rights/lock-item.ts'
import type { Roles } from '../rights/roles.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables } from '../store/tables.ts'
import { purgeFolders, purgeRows } from './purge.ts'

export type TrashDeps = {
  db: Kysely<Tables>
  roles: Roles
  signals: Pick<Signals, 'publish'>
  images: Pick<Images, 'removeAll'>
  /** Stores the images of a document for all other documents that contain them. */
  copyImages: (document: string) => Promise<void>
  now: () => number
  /** How many milliseconds documents stay in the trash; undefined: forever. */
  trashMs: number | undefined
  /** Called with every error, and with the document that it concerns, if any. */
  onError: (error: unknown, document?: string) => void
}

/** The person who deletes, with the address of their request, or null for the server itself. */
export type Deleter = { person: string; address: string } | null

// The server has other work in the first minutes after a start.
const firstAfterMs = 2 * 60_000
const everyMs = 60 * 60_000
const expiredAtOnce = 500
const runsEndWithinMs = 5000

/**
 * Permanently deletes documents in the trash: immediately for all people, and then, in the background, all their stored
 * data. Also does so automatically after a time.
 */
export class Trash extends Repetition {
  readonly #deps: TrashDeps
  #purging: Promise<void> = Promise.resolve()

  constructor(deps: TrashDeps) {
    super({
      every: everyMs,
      first: firstAfterMs,
      longest: everyMs,
      work: () => this.#removeOld(),
      onError: (error) => this.#report(error),
    })
    this.#deps = deps
  }

  /** Starts to delete documents whose time in the trash is over: first after a few minutes, then every hour. */
  override start(): void {
    this.#wake()
    super.start()
  }

  /** Resolves when the running work has ended; the next server continues it. May be called twice. */
  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#purging])
  }

  /** Permanently deletes a document. @throws RequestError `conflict` if it isn't in the trash. */
  async delete(document: string, by: Deleter): Promise<void> {
    if ((await this.#mark([document], by)) > 0) return
    throw new RequestError('conflict', 'This document is not in the trash.', 'Move it there first.')
  }

  /** Permanently deletes all documents in the trash that a person owns; returns their number. */
  async empty(by: NonNullable<Deleter>): Promise<number> {
    const { db, roles } = this.#deps
    const shared = roles.documentsOf(by.person)
    let select = db
      .selectFrom('documents')
      .select('id')
      .where('trashed_at', 'is not', null)
      .where('deleted_at', 'is', null)
    if (shared) select = select.where('id', 'in', shared)
    const rows = await select.execute()
    let count = 0
    for (const ids of inParts(rows.map(({ id }) => id))) {
      const own = await this.#ownIn(db, ids, by.person)
      // Read again in the transaction: ownership may have changed meanwhile.
      count += await this.#mark(own, by, (trx) => this.#ownIn(trx, own, by.person))
    }
    return count
  }

  async #ownIn(db: Kysely<Tables>, documents: readonly string[], person: string): Promise<string[]> {
    const { roles } = this.#deps
    const known = await roles.rolesIn('document', person, documents, db)
    return documents.filter((id) => {
      const role = known.get(id)
      return role && accessOfRole(role, roles.isOpen) === 'manage'
    })
  }

  /** Deletes documents whose time in the trash is over, at most 500; returns their number. */
  async expire(): Promise<number> {
    const { db, now, trashMs } = this.#deps
    if (trashMs === undefined) return 0
    const rows = await db
      .selectFrom('documents')
      .select('id')
      .where('trashed_at', '<=', now() - trashMs)
      .where('deleted_at', 'is', null)
      .orderBy('trashed_at')
      .limit(expiredAtOnce)
      .execute()
    return this.#mark(
      rows.map(({ id }) => id),
      null,
    )
  }

  /** Resolves when all data of the deleted documents is removed. */
  async settled(): Promise<void> {
    await this.#purging
  }

  async #mark(
    documents: readonly string[],
    by: Deleter,
    choose: (trx: Transaction<Tables>) => Promise<readonly string[]> = () => Promise.resolve(documents),
  ): Promise<number> {
    const { db, signals, now } = this.#deps
    if (documents.length === 0) return 0
    const marked = await db.transaction().execute(async (trx) => {
      for (const id of documents) await lockItem(trx, { kind: 'document', id })
      const chosen = await choose(trx)
      const rows = await trx
        .updateTable('documents')
        .set({ deleted_at: now() })
        .where('id', 'in', chosen)
        .where('trashed_at', 'is not', null)
        .where('deleted_at', 'is', null)
        .returning('id')
        .execute()
      for (const { id } of rows) {
        const who = by === null ? { actor: null } : { actor: by.person, address: by.address }
        await recordAuditEvent(trx, { at: now(), ...who, action: 'document-deleted', document: id })
      }
      return rows
    })
    for (const { id } of marked) signals.publish({ kind: 'rights', document: id })
    if (marked.length > 0) this.#wake()
    return marked.length
  }

  async #removeOld(): Promise<void> {
    await this.expire()
    await purgeFolders(this.#deps.db, this.#deps.now() - dayMs)
    // Also retries earlier removals that failed.
    this.#wake()
  }

  #wake(): void {
    this.#purging = this.#purging.then(() => this.#purgeAll()).catch((error: unknown) => this.#report(error))
  }

  async #purgeAll(): Promise<void> {
    const { db } = this.#deps
    const rows = await db.selectFrom('documents').select('id').where('deleted_at', 'is not', null).execute()
    for (const { id } of rows) await this.#purge(id).catch((error: unknown) => this.#report(error, id))
  }

  async #purge(document: string): Promise<void> {
    const { db, images, copyImages } = this.#deps
    const { signal } = this
    await this.#runsHaveEnded(document)
    if (signal.aborted) return
    await copyImages(document)
    await images.removeAll(document)
    await purgeRows(db, document, signal)
  }

  #report(error: unknown, document?: string): void {
    if (!this.signal.aborted) this.#deps.onError(error, document)
  }

  /** Runs end by themselves and report it, as their caller may no longer open the document. */
  async #runsHaveEnded(document: string): Promise<void> {
    const until = this.#deps.now() + runsEndWithinMs
    const going = this.#deps.db
      .selectFrom('runs')
      .select('id')
      .where('document', '=', document)
      .where('ended_at', 'is', null)
      .limit(1)
    while (this.#deps.now() < until && (await going.executeTakeFirst()) !== undefined) {
      if (!(await isOver(100, this.signal))) return
    }
  }
}
