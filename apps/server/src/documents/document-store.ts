import type { ChangesView, DocumentSummary, ExportFormat, PatchDocument, Role } from '@copydesk/protocol'
import { contentName, contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import * as Y from 'yjs'
import { z } from 'zod'
import { accessOfRole } from '../rights/access.ts'
import { RequestError } from '../common/errors.ts'
import { documentRoom, type StorageQuotas } from '../quotas/storage.ts'
import { orThrow } from '../common/refusal.ts'
import type { Roles } from '../rights/roles.ts'
import { shownTitle } from '../store/first-words.ts'
import { foldText } from '../store/fold-text.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { DocumentRow, Tables } from '../store/tables.ts'
import type { UpdateLog } from '../store/log/update-log.ts'
import type { MarkdownConverter } from './markdown-converter.ts'

export type DocumentStoreDeps = {
  db: Kysely<Tables>
  log: UpdateLog
  writer: DocumentTransactions
  converter: MarkdownConverter
  roles: Roles
  storage: StorageQuotas
  now: () => number
  createId: () => string
}

const pageSize = 30
const titleLimit = 300

/** The documents of this server: their rows, and their content in the log. */
export class DocumentStore {
  readonly #deps: DocumentStoreDeps
  constructor(deps: DocumentStoreDeps) {
    this.#deps = deps
  }

  /**
   * Creates a document. Its Markdown is converted into a Yjs update in the log exactly once, here. If no title is
   * given it is the first `h1`, which stays in the text, else the frontmatter's `title`, else the first words.
   * @throws RequestError `quota_exceeded` if there are too many documents, or too much was written today.
   */
  async create(actor: string, input: { title?: string; markdown?: string }): Promise<DocumentSummary> {
    const { db, now, createId, storage } = this.#deps
    const writer = { actor, run: null }
    orThrow(await storage.logs.room(undefined, writer))
    // Checked before the conversion, which would be wasted.
    orThrow(await documentRoom(db, actor, storage.quotas))
    const { update, title, text } = await this.#deps.converter.seed(input.markdown ?? '', input.title)
    const row: DocumentRow = {
      id: createId(),
      title,
      folded_title: foldText(title),
      agent_mode: 'edit',
      created_by: actor,
      created_at: now(),
      updated_at: now(),
      trashed_at: null,
      editors_share: 1,
      first_words: '',
      untouched: title === '' && !input.markdown ? 1 : 0,
    }
    await db.transaction().execute(async (trx) => {
      orThrow(await documentRoom(trx, actor, storage.quotas))
      await trx.insertInto('documents').values(row).execute()
      const owner = {
        document: row.id,
        person: actor,
        role: 'owner',
        added_by: actor,
        added_at: row.created_at,
      } as const
      await trx.insertInto('members').values(owner).execute()
      const names = [contentName(row.id), roomName(row.id)]
      await trx
        .insertInto('logs')
        .values(names.map((name) => ({ name, document: row.id, seq: name === contentName(row.id) ? 1 : 0 })))
        .execute()
      await trx
        .insertInto('document_updates')
        .values({ name: contentName(row.id), seq: 1, bytes: update, actor, run: null, at: now() })
        .execute()
      // The first snapshot makes the text searchable before the document is first opened.
      await trx
        .insertInto('document_snapshots')
        .values({ name: contentName(row.id), seq: 1, state: update, text, at: now() })
        .execute()
    })
    storage.logs.note(row.id, writer, update.byteLength)
    return this.#toSummary(row, 'owner')
  }

  /** One document, or `undefined` if it doesn't exist or isn't shared with the caller. */
  async find(id: string, caller: string): Promise<DocumentSummary | undefined> {
    const role = await this.#deps.roles.roleOf(caller, id)
    if (role === undefined) return undefined
    const row = await this.#deps.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
    return row && this.#toSummary(row, role)
  }

  /** The title of a document, or its first words, without an access check; undefined if it doesn't exist. */
  async titleOf(id: string): Promise<string | undefined> {
    const row = await this.#deps.db
      .selectFrom('documents')
      .select(['title', 'first_words'])
      .where('id', '=', id)
      .executeTakeFirst()
    return row && shownTitle(row)
  }

  /**
   * A page of the documents that the caller may open, last changed first; `query` searches titles and text. Documents
   * in which nobody has written yet are left out.
   * @throws RequestError `invalid_input` for a cursor that no page returned.
   */
  async list(
    caller: string,
    { query, trash, cursor }: { query?: string; trash?: boolean; cursor?: string },
  ): Promise<{ documents: DocumentSummary[]; nextCursor: string | null }> {
    let select = this.#deps.db
      .selectFrom('documents')
      .selectAll('documents')
      .where('trashed_at', trash ? 'is not' : 'is', null)
    if (!trash) select = select.where((eb) => eb.not(isAbandoned(eb)))
    const { roles } = this.#deps
    if (!roles.isOpen) {
      const shared = this.#deps.db.selectFrom(roles.given(caller).as('given')).select('given.document')
      select = select.where('documents.id', 'in', shared)
    }
    const needle = query && foldText(query.trim())
    if (needle) {
      const pattern = `%${needle.replace(/[\\%_]/g, '\\$&')}%`
      select = select
        .leftJoin('document_snapshots', 'document_snapshots.name', 'documents.id')
        .where(
          sql<boolean>`(documents.folded_title like ${pattern} escape '\\' or document_snapshots.text like ${pattern} escape '\\')`,
        )
    }
    const after = cursor === undefined ? undefined : readCursor(cursor)
    if (after) {
      select = select.where((eb) =>
        eb.or([
          eb('updated_at', '<', after.updatedAt),
          eb.and([eb('updated_at', '=', after.updatedAt), eb('documents.id', '>', after.id)]),
        ]),
      )
    }
    const rows = await select
      .orderBy('updated_at', 'desc')
      .orderBy('documents.id')
      .limit(pageSize + 1)
      .execute()
    const page = rows.slice(0, pageSize)
    const last = page.at(-1)
    const known = await roles.rolesIn(
      caller,
      page.map(({ id }) => id),
    )
    return {
      documents: page.flatMap((row) => {
        const role = known.get(row.id)
        return role === undefined ? [] : [this.#toSummary(row, role)]
      }),
      nextCursor: rows.length > pageSize && last ? writeCursor(last) : null,
    }
  }

  /**
   * Changes the title (in the content, so that all clients see it), the agent's mode or the font (in the room, for the
   * same reason). Only clients read the font, so that no row has it.
   */
  async patch(id: string, actor: string, { title, agentMode, font }: PatchDocument): Promise<void> {
    if (title !== undefined) {
      await this.#deps.writer.write(contentName(id), { actor }, async ({ doc, trx }) => {
        doc.getMap(contentTypes.meta).set('title', title)
        await trx.updateTable('documents').set(this.#changes(title)).where('id', '=', id).execute()
      })
    }
    if (agentMode !== undefined) {
      await this.#deps.writer.write(roomName(id), { actor }, async ({ doc, trx }) => {
        doc.getMap(roomTypes.settings).set('agentMode', agentMode)
        await trx.updateTable('documents').set({ agent_mode: agentMode }).where('id', '=', id).execute()
      })
    }
    if (font !== undefined) {
      await this.#deps.writer.write(roomName(id), { actor }, ({ doc }) => {
        doc.getMap(roomTypes.settings).set('font', font)
      })
    }
  }

  async setTrashed(id: string, trashed: boolean): Promise<void> {
    const time = trashed ? this.#deps.now() : null
    await this.#deps.db.updateTable('documents').set({ trashed_at: time }).where('id', '=', id).execute()
  }

  /** Sets the row's time of the last change to now. */
  async touch(id: string): Promise<void> {
    await this.#deps.db.updateTable('documents').set(this.#changes()).where('id', '=', id).execute()
  }

  /** Updates the title in the row to that of the content. */
  async noteTitle(id: string, title: string): Promise<void> {
    const changes = this.#changes(title)
    await this.#deps.db
      .updateTable('documents')
      .set(changes)
      .where('id', '=', id)
      .where('title', '!=', changes.title ?? '')
      .execute()
  }

  #toSummary(row: DocumentRow, role: Role): DocumentSummary {
    return {
      id: row.id,
      title: shownTitle(row),
      role,
      access: accessOfRole(role, this.#deps.roles.isOpen),
      agentMode: row.agent_mode,
      editorsShare: row.editors_share === 1,
      trashed: row.trashed_at !== null,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    }
  }

  #changes(title?: string): Partial<DocumentRow> {
    const changed = { updated_at: this.#deps.now(), untouched: 0 }
    if (title === undefined) return changed
    const short = title.slice(0, titleLimit)
    return { ...changed, title: short, folded_title: foldText(short) }
  }

  /**
   * The content in the log, as text; `undefined` if there is no such document.
   * @throws if the log has content that the schema refuses.
   */
  async render(id: string, format: ExportFormat, changes: ChangesView = 'original'): Promise<string | undefined> {
    const { log, converter } = this.#deps
    // The updates are merged in the converter's thread: reading a long document takes as long as writing it.
    const logged = await log.updatesOf(contentName(id))
    try {
      return logged && (await converter.render(logged.updates, format, changes))
    } catch (error) {
      if (error instanceof RequestError) throw error
      // Loading quarantines rows that can't be applied.
      const loaded = await log.load(contentName(id))
      if (!loaded || loaded.quarantined.length === 0) throw error
      return converter.render([Y.encodeStateAsUpdate(loaded.doc)], format, changes)
    }
  }
}

/** Nobody has written in it, talked to its agent or shared it. */
function isAbandoned(eb: ExpressionBuilder<Tables, 'documents'>) {
  const talk = eb
    .selectFrom('logs')
    .select('logs.seq')
    .whereRef('logs.document', '=', 'documents.id')
    .whereRef('logs.name', '!=', 'documents.id')
    .where('logs.seq', '>', 0)
  const sharers = eb
    .selectFrom('members')
    .select('members.person')
    .whereRef('members.document', '=', 'documents.id')
    .whereRef('members.person', '!=', 'documents.created_by')
  const links = eb.selectFrom('links').select('links.id').whereRef('links.document', '=', 'documents.id')
  return eb.and([eb('untouched', '=', 1), ...[talk, sharers, links].map((each) => eb.not(eb.exists(each)))])
}

function writeCursor(row: DocumentRow): string {
  return Buffer.from(JSON.stringify([row.updated_at, row.id])).toString('base64url')
}

const Cursor = z.tuple([z.number(), z.string()])

function readCursor(cursor: string): { updatedAt: number; id: string } {
  try {
    const [updatedAt, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { updatedAt, id }
  } catch {
    throw new RequestError(
      'invalid_input',
      'cursor: not returned by this list.',
      'Use nextCursor of the previous page.',
    )
  }
}
