import type { OwnerlessList } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import type { Signals } from '../common/signals.ts'
import { shownTitle } from '../store/first-words.ts'
import type { Tables } from '../store/tables.ts'
import type { Item } from './inheritance.ts'
import { lockItem } from './lock-item.ts'

export type OwnerlessDeps = { db: Kysely<Tables>; signals: Pick<Signals, 'publish'>; now: () => number }

const listed = 500

type Owners = OwnerlessList['documents'][number]['owners']

/**
 * Documents and folders without an owner who could sign in: those of people who joined by name before the server had
 * accounts, and of people whose accounts are closed. An operator assigns a new owner.
 */
export class Ownerless {
  readonly #deps: OwnerlessDeps
  constructor(deps: OwnerlessDeps) {
    this.#deps = deps
  }

  /** At most 500 documents, the most recently changed first, and 500 folders by name; includes those in the trash. */
  async list(): Promise<OwnerlessList> {
    const { db } = this.#deps
    const [documents, folders] = await Promise.all([
      ownerlessDocuments(db)
        .select(['title', 'first_words', 'updated_at', 'trashed_at'])
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .limit(listed)
        .execute(),
      ownerlessFolders(db).select(['name', 'trashed_at']).orderBy('name').orderBy('id').limit(listed).execute(),
    ])
    const owners = await this.#ownersOf([...documents, ...folders].map(({ id }) => id))
    return {
      documents: documents.map(({ id, updated_at, trashed_at, ...row }) => ({
        id,
        title: shownTitle(row),
        updatedAt: new Date(updated_at).toISOString(),
        trashed: trashed_at !== null,
        owners: owners.get(id) ?? [],
      })),
      folders: folders.map(({ id, name, trashed_at }) => ({
        id,
        name,
        trashed: trashed_at !== null,
        owners: owners.get(id) ?? [],
      })),
    }
  }

  /**
   * Makes a person the owner of a document or folder without an owner.
   * @throws RequestError `not_found` for another item, and for a person who can't sign in.
   */
  async assignOwner(item: Item, person: string, by: string): Promise<void> {
    const { db, signals, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      // The lock keeps two operators from assigning two owners concurrently.
      const isThere = await lockItem(trx, item)
      if (!isThere || !(await isOwnerless(trx, item))) {
        throw new RequestError('not_found', unknown[item.kind], 'Load the list again.')
      }
      const newOwner = await withAccount(trx).select('people.id').where('people.id', '=', person).executeTakeFirst()
      if (!newOwner) {
        throw new RequestError('not_found', 'No person with this id can sign in.', 'Choose another person.')
      }
      const row = { item: item.id, person, role: 'owner' as const, added_by: by, added_at: now() }
      await trx
        .insertInto('members')
        .values(row)
        .onConflict((conflict) => conflict.columns(['item', 'person']).doUpdateSet({ role: 'owner', added_by: by }))
        .execute()
    })
    signals.publish({ kind: 'rights', person, ...(item.kind === 'document' ? { document: item.id } : {}) })
  }

  async #ownersOf(items: readonly string[]): Promise<Map<string, Owners>> {
    if (items.length === 0) return new Map()
    const rows = await this.#deps.db
      .selectFrom('members')
      .innerJoin('people', 'people.id', 'members.person')
      .select(['members.item', 'people.id', 'people.name', 'people.deactivated_at'])
      .where('members.role', '=', 'owner')
      .where('members.item', 'in', items)
      .orderBy('members.added_at')
      .orderBy('people.id')
      .execute()
    const owners = new Map<string, Owners>()
    for (const { item, id, name, deactivated_at } of rows) {
      const known = owners.get(item) ?? []
      owners.set(item, [...known, { id, name, closed: deactivated_at !== null }])
    }
    return owners
  }
}

const unknown = {
  document: 'There is no such document without an owner.',
  folder: 'There is no such folder without an owner.',
} as const

type Db = Kysely<Tables>

async function isOwnerless(db: Db, { kind, id }: Item): Promise<boolean> {
  const found =
    kind === 'folder'
      ? await ownerlessFolders(db).where('id', '=', id).executeTakeFirst()
      : await ownerlessDocuments(db).where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

function ownerlessDocuments(db: Db) {
  return db.selectFrom('documents').select('id').where('deleted_at', 'is', null).where('id', 'not in', owned(db))
}

function ownerlessFolders(db: Db) {
  return db.selectFrom('folders').select('id').where('id', 'not in', owned(db))
}

/** The ids of the documents and folders with an owner who can sign in. */
function owned(db: Db) {
  return withAccount(db)
    .innerJoin('members', 'members.person', 'people.id')
    .select('members.item')
    .where('members.role', '=', 'owner')
}

/** People with an account that isn't closed. */
function withAccount(db: Db) {
  return db.selectFrom('people').where('people.email', 'is not', null).where('people.deactivated_at', 'is', null)
}
