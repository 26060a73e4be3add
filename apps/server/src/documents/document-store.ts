import {
  type AgentMode,
  type ChangesView,
  DocumentFont,
  type DocumentList,
  type DocumentSummary,
  type ExportFormat,
  type Inherits,
  type ListDocumentsQuery,
  type PatchDocument,
} from '@copydesk/protocol'
import { contentName, contentTypes, longestTitle, parseDocumentName, roomName, roomTypes } from '@copydesk/schema'
import type { Kysely, Transaction } from 'kysely'
import * as Y from 'yjs'
import { RequestError, orThrow } from '../common/errors.ts'
import { agentIdentity, serverActor } from '../common/identity.ts'
import { roomForItem, type StorageQuotas } from '../quotas/storage.ts'
import { foldersOutward } from '../rights/inheritance.ts'
import type { Roles } from '../rights/roles.ts'
import { shownTitle, titleColumns } from '../store/first-words.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { DocumentRow, Tables } from '../store/tables.ts'
import type { UpdateLog } from '../store/log/update-log.ts'
import { listDocuments } from './document-list.ts'
import type { MarkdownConverter } from './markdown-converter.ts'
import type { Seed } from './markdown-thread.ts'
import { Summaries } from './summaries.ts'

export type DocumentStoreDeps = {
  db: Kysely<Tables>
  log: UpdateLog
  writer: DocumentTransactions
  converter: MarkdownConverter
  roles: Roles
  storage: StorageQuotas
  now: () => number
  createId: () => string
  /** How many milliseconds a document stays in the trash; undefined: forever. */
  trashMs?: number | undefined
}

/**
 * The place of a new document: a folder or none, and the highest role that people get from it. `check` throws if the
 * creator may not put it there.
 */
export type NewPlace = { folder: string | null; inherits: Inherits; check: (trx: Transaction<Tables>) => Promise<void> }

const noFolder: NewPlace = { folder: null, inherits: 'owner', check: async () => undefined }

type NewContent = Seed & { isUntouched: boolean; agentMode: AgentMode }

type CopyOptions = {
  title: string | undefined
  place: NewPlace
  keepImages: (copy: string, names: readonly string[]) => Promise<void>
  dropImages: (copy: string) => Promise<void>
}

/** The documents of this server: their rows, and their content in the log. */
export class DocumentStore {
  readonly #deps: DocumentStoreDeps
  readonly #summaries: Summaries
  constructor(deps: DocumentStoreDeps) {
    this.#deps = deps
    this.#summaries = new Summaries({ ...deps, trashMs: deps.trashMs })
  }

  /**
   * Creates a document. Its Markdown is converted into a Yjs update in the log exactly once, here. Without a given
   * title, the title is the first `h1`, which stays in the text, else the frontmatter's `title`, else the first words.
   * @throws RequestError `quota_exceeded` if there are too many documents, or too much was written today.
   */
  async create(
    actor: string,
    input: { title?: string; markdown?: string },
    place: NewPlace = noFolder,
  ): Promise<DocumentSummary> {
    const { db, storage } = this.#deps
    const writer = { actor, run: null }
    orThrow(await storage.logs.room(undefined, writer))
    // Checked before the conversion, to avoid a useless one.
    orThrow(await roomForItem(db, 'document', actor, storage.quotas))
    const seed = await this.#deps.converter.seed(input.markdown ?? '', input.title)
    const isUntouched = seed.title === '' && !input.markdown
    return this.#store(this.#deps.createId(), actor, { ...seed, isUntouched, agentMode: 'edit' }, place)
  }

  /** Stores a new document, whose content is one update. */
  async #store(id: string, actor: string, content: NewContent, place: NewPlace): Promise<DocumentSummary> {
    const { db, now, storage } = this.#deps
    const { update, title, summary, isUntouched, agentMode } = content
    const { firstWords, preview, text, shownText } = summary
    const at = now()
    await db.transaction().execute(async (trx) => {
      orThrow(await roomForItem(trx, 'document', actor, storage.quotas))
      await place.check(trx)
      await trx
        .insertInto('documents')
        .values({
          id,
          title,
          ...titleColumns(title || firstWords),
          agent_mode: agentMode,
          created_by: actor,
          created_at: at,
          updated_at: at,
          edited_by: actor,
          trashed_at: null,
          editors_share: 1,
          first_words: firstWords,
          preview,
          untouched: isUntouched ? 1 : 0,
          folder: place.folder,
          inherits: place.inherits,
        })
        .execute()
      const owner = { item: id, person: actor, role: 'owner', added_by: actor, added_at: at } as const
      await trx.insertInto('members').values(owner).execute()
      const names = [contentName(id), roomName(id)]
      await trx
        .insertInto('logs')
        .values(names.map((name) => ({ name, document: id, seq: name === contentName(id) ? 1 : 0 })))
        .execute()
      await trx
        .insertInto('document_updates')
        .values({ name: contentName(id), seq: 1, bytes: update, actor, run: null, at })
        .execute()
      // The first snapshot makes the text searchable before the document is first opened.
      await trx
        .insertInto('document_snapshots')
        .values({ name: contentName(id), seq: 1, state: update, text, shown_text: shownText, at })
        .execute()
    })
    storage.logs.note(id, { actor, run: null }, update.byteLength)
    const created = await this.find(id, actor)
    if (!created) throw new Error('a new document is gone')
    return created
  }

  /** One document, or `undefined` if it doesn't exist or isn't shared with the caller. */
  async find(id: string, caller: string): Promise<DocumentSummary | undefined> {
    if (parseDocumentName(id)?.part !== 'content') return undefined
    const row = await this.#deps.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
    return row && (await this.#summaries.of([row], caller))[0]
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

  /** A page of the documents that a person may open, see `listDocuments`. */
  list(person: string, query: ListDocumentsQuery): Promise<DocumentList> {
    return listDocuments({ ...this.#deps, summaries: this.#summaries }, person, query)
  }

  /**
   * Changes the title (in the content, so that all clients see it), the agent's mode or the font (in the room, for the
   * same reason). Only clients read the font, so it has no column.
   */
  async patch(id: string, actor: string, { title, agentMode, font }: PatchDocument): Promise<void> {
    if (title !== undefined) {
      await this.#deps.writer.write(contentName(id), { actor }, async ({ doc, trx }) => {
        doc.getMap(contentTypes.meta).set('title', title)
        await trx
          .updateTable('documents')
          .set({ ...this.#changes(title), edited_by: actor, edited_name: null })
          .where('id', '=', id)
          .execute()
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

  /** Moves a document to the trash, or restores it together with the folders around it. */
  async setTrashed(id: string, trashed: boolean): Promise<void> {
    const time = trashed ? this.#deps.now() : null
    await this.#deps.db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('documents')
        .set({ trashed_at: time })
        .where('id', '=', id)
        // Moving it to the trash again doesn't extend its time there.
        .where('trashed_at', trashed ? 'is' : 'is not', null)
        .returning('folder')
        .executeTakeFirst()
      if (trashed || !row) return
      const folders = await foldersOutward(trx, row.folder)
      await trx.updateTable('folders').set({ trashed_at: null }).where('id', 'in', folders).execute()
    })
  }

  /** Stars a document for a person, or removes the star. */
  async setStarred(id: string, person: string, starred: boolean): Promise<void> {
    const { db, now } = this.#deps
    if (starred) {
      await db
        .insertInto('stars')
        .values({ person, document: id, at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    } else await db.deleteFrom('stars').where('person', '=', person).where('document', '=', id).execute()
  }

  /**
   * Sets the row's time of the last change to now, and its author to that of the newest change in the log. A comment of
   * a named agent only marks the text and doesn't count as a change.
   */
  async touch(id: string): Promise<void> {
    const newest = await this.#deps.db
      .selectFrom('document_updates')
      .leftJoin('runs', (join) => join.onRef('runs.id', '=', 'run').on('actor', '=', agentIdentity.id))
      .select(['actor', 'runs.agent_name'])
      .where('name', '=', contentName(id))
      .where('actor', '!=', serverActor)
      .where('actor', 'not in', this.#deps.db.selectFrom('agents').select('agents.id'))
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    await this.#deps.db
      .updateTable('documents')
      .set({ ...this.#changes(), edited_by: newest?.actor ?? null, edited_name: newest?.agent_name ?? null })
      .where('id', '=', id)
      .execute()
  }

  /** Sets the title in the row to that of the content. */
  async noteTitle(id: string, title: string): Promise<void> {
    const changes = this.#changes(title)
    await this.#deps.db
      .updateTable('documents')
      .set(changes)
      .where('id', '=', id)
      .where('title', '!=', changes.title ?? '')
      .execute()
  }

  #changes(title?: string): Partial<DocumentRow> {
    const changed = { updated_at: this.#deps.now(), untouched: 0 }
    if (title === undefined) return changed
    const short = title.slice(0, longestTitle)
    return { ...changed, title: short, ...titleColumns(short) }
  }

  /**
   * The content in the log, as text; `undefined` if there is no such document.
   * @throws if the log has content that the schema refuses.
   */
  render(id: string, format: ExportFormat, changes: ChangesView = 'original'): Promise<string | undefined> {
    return this.#convert(id, (updates) => this.#deps.converter.render(updates, format, changes))
  }

  /**
   * Creates a copy of a document in its current state, owned by `actor`, without comments and suggested changes.
   * `keepImages` stores the document's images for the copy; if that or a later step fails, `dropImages` is called with
   * the copy's id.
   * @throws RequestError `not_found`; `quota_exceeded` as `create`.
   */
  async copy(
    id: string,
    actor: string,
    { title, place, keepImages, dropImages }: CopyOptions,
  ): Promise<DocumentSummary> {
    const { db, storage, converter, createId } = this.#deps
    orThrow(await storage.logs.room(undefined, { actor, run: null }))
    orThrow(await roomForItem(db, 'document', actor, storage.quotas))
    const row = await db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
    const copyId = createId()
    const names = { title: title ?? `Copy of ${(row && shownTitle(row)) || 'Untitled'}`, from: id, to: copyId }
    const content = row && (await this.#convert(id, (updates) => converter.copy(updates, names)))
    if (!row || !content) throw new RequestError('not_found', 'There is no such document.')
    const font = await this.#fontOf(id)
    let summary: DocumentSummary
    try {
      await keepImages(copyId, content.images)
      summary = await this.#store(copyId, actor, { ...content, isUntouched: false, agentMode: row.agent_mode }, place)
    } catch (error) {
      await dropImages(copyId)
      throw error
    }
    if (font !== undefined) await this.patch(copyId, actor, { font })
    return summary
  }

  /** The font of a document; `undefined` for the default font. */
  async #fontOf(id: string): Promise<PatchDocument['font']> {
    const room = await this.#deps.log.load(roomName(id))
    return DocumentFont.safeParse(room?.doc.getMap(roomTypes.settings).get('font')).data
  }

  /** Converts the content in the log; `undefined` if there is no such document. */
  async #convert<T>(id: string, work: (updates: readonly Uint8Array[]) => Promise<T>): Promise<T | undefined> {
    const { log } = this.#deps
    // The converter's thread merges the updates: reading a long document takes as long as writing it.
    const logged = await log.updatesOf(contentName(id))
    try {
      return logged && (await work(logged.updates))
    } catch (error) {
      if (error instanceof RequestError) throw error
      // Loading quarantines rows that can't be applied.
      const loaded = await log.load(contentName(id))
      if (!loaded || loaded.quarantined.length === 0) throw error
      return work([Y.encodeStateAsUpdate(loaded.doc)])
    }
  }
}
