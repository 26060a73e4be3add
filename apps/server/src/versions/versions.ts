import type { User, Version, VersionDiff, VersionExtent, VersionKind, VersionText } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import type { Kysely, Transaction } from 'kysely'
import { recordAuditEvent } from '../audit/audit.ts'
import { agentIdentity, serverActor } from '../common/identity.ts'
import type { MarkdownConverter } from '../documents/markdown-converter.ts'
import { unknownCursor } from '../common/cursor.ts'
import { RequestError } from '../common/errors.ts'
import type { Check } from '../review/review-rows.ts'
import type { LoadedLog, LogReplay } from '../history/log-replay.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Tables, VersionRow } from '../store/tables.ts'
import { RestoreForwarder } from './restore-forwarder.ts'
import { restoreIn } from './restore.ts'
import { findBoundaries } from './version-boundaries.ts'
import { endedRuns, headOf, newestVersion, readNotes, writersBetween } from './version-queries.ts'
import { joinWriters, toVersions } from './version-rows.ts'
import { VersionStates } from './version-states.ts'

export type VersionsDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  converter: MarkdownConverter
  replay: LogReplay
  now: () => number
  createId: () => string
}

/** The id of the current text in requests for versions. */
const currentVersion = 'current'

const pageSize = 100

/**
 * The versions of documents: points of a content log. They are derived from the log on each request, so that no version
 * is missed, whatever the state of the server was at the time. No content is overwritten: restoring a version is an
 * edit like any other.
 */
export class Versions {
  readonly #deps: VersionsDeps
  readonly #states: VersionStates
  readonly #forwarder: RestoreForwarder
  constructor(deps: VersionsDeps) {
    this.#deps = deps
    this.#states = new VersionStates(deps.db)
    this.#forwarder = new RestoreForwarder(deps)
  }

  /** The states of content at rows of its log. */
  get states(): VersionStates {
    return this.#states
  }

  /**
   * A page of versions, newest first.
   * @throws RequestError `invalid_input` for a cursor that no page returned.
   */
  async list(document: string, cursor?: string): Promise<{ versions: Version[]; nextCursor: string | null }> {
    const { db } = this.#deps
    const before = cursor === undefined ? undefined : Number(cursor)
    if (before !== undefined && !Number.isSafeInteger(before)) throw unknownCursor()
    await this.catchUp(document)
    let query = db.selectFrom('versions').selectAll().where('document', '=', document)
    if (before !== undefined) query = query.where('seq', '<', before)
    const rows = await query
      .orderBy('seq', 'desc')
      .limit(pageSize + 1)
      .execute()
    const page = rows.slice(0, pageSize)
    const last = page.at(-1)
    const nextCursor = rows.length > pageSize && last ? String(last.seq) : null
    return { versions: await toVersions(db, page), nextCursor }
  }

  /**
   * Stores the current text as a version, with or without a name. If nothing has changed since an unnamed version, that
   * version gets the name.
   * @throws RequestError `conflict` if nothing has changed since a named version.
   */
  async create(document: string, by: User, name: string | undefined): Promise<Version> {
    const { db, now } = this.#deps
    await this.catchUp(document)
    const row = await db.transaction().execute(async (trx) => {
      const head = await headOf(trx, document)
      const last = await newestVersion(trx, document)
      if (last && (await writersBetween(trx, document, last.seq, head)).length === 0) {
        if (last.name !== null && name !== undefined) throw unchangedSince(last.name)
        return name === undefined ? last : this.#setName(trx, last, name, by)
      }
      const writers = await writersBetween(trx, document, last?.seq ?? 0, head)
      const made = this.#row(document, { seq: head, kind: 'named', by: by.id, writers, at: now(), name: name ?? null })
      await trx.insertInto('versions').values(made).execute()
      return made
    })
    return this.#show(row)
  }

  /**
   * Names a version, or removes its name.
   * @throws RequestError `not_found`.
   */
  async rename(document: string, id: string, name: string | null, by: User): Promise<Version> {
    const row = await this.#deps.db.transaction().execute(async (trx) => {
      const found = await this.#find(document, id, trx)
      return this.#setName(trx, found, name, by)
    })
    return this.#show(row)
  }

  /**
   * A version with its text, without changes that were only suggested.
   * @throws RequestError `not_found`.
   */
  async read(document: string, id: string): Promise<VersionText> {
    const row = await this.#find(document, id)
    const state = await this.#states.at(document, row.seq)
    const { converter } = this.#deps
    const json = await converter.render([state], 'json', 'original')
    const markdown = await converter.render([state], 'markdown', 'original')
    return { ...(await this.#show(row)), document: JSON.parse(json) as Record<string, unknown>, markdown }
  }

  /**
   * The changes between two versions, from the older to the newer, in whichever order they are given. `against` is
   * `current` for the current text; by default it is the previous version.
   * @throws RequestError `not_found`.
   */
  async diff(document: string, id: string, against: string | undefined): Promise<VersionDiff> {
    const { older, later, before, after } = await this.#pair(document, id, against)
    const { document: doc, changes } = await this.#states.compare(before, after)
    return { from: older?.id ?? null, to: later.id, document: doc, changes }
  }

  /**
   * The number of changes between the versions that `diff` compares.
   * @throws RequestError `not_found`.
   */
  async extent(document: string, id: string, against: string | undefined): Promise<VersionExtent> {
    const { before, after } = await this.#pair(document, id, against)
    return { paragraphs: await this.#states.countChanged(before, after) }
  }

  /**
   * Changes the current text to that of a version, as an edit of this user that all clients receive, between a version
   * of the text before and one of the text after. `check` runs first in the transaction, and may throw.
   * @throws RequestError `not_found`, or `conflict` if the text is already the same.
   */
  async restore(document: string, id: string, by: User, check?: Check): Promise<Version> {
    const { writer, now } = this.#deps
    await this.catchUp(document)
    const version = await this.#find(document, id)
    const { seq } = version
    const state = await this.#states.at(document, seq)
    const note = async (trx: Transaction<Tables>): Promise<VersionRow> => {
      const head = await headOf(trx, document)
      const last = await newestVersion(trx, document)
      const writers = await writersBetween(trx, document, last?.seq ?? 0, head)
      if (!last || writers.length > 0) {
        const made = this.#row(document, {
          seq: head,
          kind: 'automatic',
          by: writers.at(-1) ?? by.id,
          writers,
          at: now(),
        })
        await trx.insertInto('versions').values(made).execute()
      }
      // The `seq` of the row that this write will append.
      const at = { seq: head + 1, kind: 'restore' as const, by: by.id, writers: [by.id], at: now(), restored: id }
      const made = this.#row(document, at)
      await recordAuditEvent(trx, { at: now(), actor: by.id, action: 'version-restored', document, target: id })
      await trx.insertInto('versions').values(made).execute()
      return made
    }
    const { noted: row, deleted } = await this.#withLog(document, (loaded) =>
      restoreIn(writer, { document, seq, state, loaded, by, check }, note),
    )
    this.#forwarder.watch(document, row.seq, deleted)
    return this.#show(row)
  }

  /** Runs `work` with the replayed log of a document, and without it if it can't be replayed. */
  async #withLog<T>(document: string, work: (loaded?: LoadedLog) => Promise<T>): Promise<T> {
    let isReplayed = false
    try {
      return await this.#deps.replay.run(document, (loaded) => {
        isReplayed = true
        return work(loaded)
      })
    } catch (error) {
      if (isReplayed || error instanceof RequestError) throw error
      return work()
    }
  }

  /** Finds the automatic versions that are due since the last call. */
  async catchUp(document: string): Promise<void> {
    const { db, now } = this.#deps
    const last = await newestVersion(db, document)
    const notes = await readNotes(db, document, last?.seq ?? 0)
    const runs = await endedRuns(db, document)
    const found = findBoundaries(notes, { now: now(), agent: agentIdentity.id, isOver: (run) => runs.has(run) })
    if (found.length === 0) return
    let from = 0
    const rows = found.map(({ seq, at, run }) => {
      const until = notes.findIndex((note) => note.seq === seq) + 1
      const writers = joinWriters(notes.slice(from, until).map(({ writer }) => writer))
      const by = notes[until - 1]?.writer ?? serverActor
      from = until
      return this.#row(document, {
        seq,
        kind: run === undefined ? 'automatic' : 'run',
        by,
        writers,
        at,
        run: run ?? null,
      })
    })
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      await db
        .insertInto('versions')
        .values(rows.slice(start, start + rowsAtOnce))
        // Concurrent calls find the same versions.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }

  async close(): Promise<void> {
    await this.#forwarder.close()
    await this.#states.close()
  }

  #row(document: string, given: NewRow): VersionRow {
    const { seq, kind, by, writers, at, name = null, run = null, restored = null } = given
    const id = this.#deps.createId()
    return { id, document, seq, kind, name, created_by: by, writers: JSON.stringify(writers), run, restored, at }
  }

  async #setName(trx: Kysely<Tables>, row: VersionRow, name: string | null, by: User): Promise<VersionRow> {
    const kind = row.kind === 'automatic' || row.kind === 'named' ? (name === null ? 'automatic' : 'named') : row.kind
    const created_by = kind === 'named' && row.kind !== 'named' ? by.id : row.created_by
    return trx
      .updateTable('versions')
      .set({ name, kind, created_by })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  async #show(row: VersionRow): Promise<Version> {
    const [version] = await toVersions(this.#deps.db, [row])
    if (!version) throw new Error(`the version ${row.id} is gone`)
    return version
  }

  async #find(document: string, id: string, db: Kysely<Tables> = this.#deps.db): Promise<VersionRow> {
    const row = await db
      .selectFrom('versions')
      .selectAll()
      .where('document', '=', document)
      .where('id', '=', id)
      .executeTakeFirst()
    if (row) return row
    throw new RequestError(
      'not_found',
      'There is no such version of this document.',
      'Load the list of versions again.',
    )
  }

  /** Two points of a document, the older first, with their states. */
  async #pair(document: string, id: string, against: string | undefined) {
    await this.catchUp(document)
    const row = await this.#point(document, id)
    const other = against === undefined ? await this.#before(document, row.seq) : await this.#point(document, against)
    const [older, later] = other && other.seq > row.seq ? [row, other] : [other, row]
    const before = older && (await this.#states.at(document, older.seq))
    return { older, later, before, after: await this.#states.at(document, later.seq) }
  }

  async #point(document: string, id: string): Promise<{ id: string; seq: number }> {
    return id === currentVersion ? { id, seq: await headOf(this.#deps.db, document) } : this.#find(document, id)
  }

  async #before(document: string, seq: number): Promise<VersionRow | undefined> {
    return this.#deps.db
      .selectFrom('versions')
      .selectAll()
      .where('document', '=', document)
      .where('seq', '<', seq)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
  }
}

type NewRow = {
  seq: number
  kind: VersionKind
  by: string
  writers: readonly string[]
  at: number
  name?: string | null
  run?: string | null
  restored?: string
}

const rowsAtOnce = 50

function unchangedSince(name: string): RequestError {
  return new RequestError('conflict', localizable`Nothing has changed since “${name}”.`, 'Rename that version instead.')
}
