import type { OwnerlessList } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import type { Signals } from '../common/signals.ts'
import { shownTitle } from '../store/first-words.ts'
import type { Tables } from '../store/tables.ts'
import { lockItem } from './lock-item.ts'

export type OwnerlessDeps = { db: Kysely<Tables>; signals: Pick<Signals, 'publish'>; now: () => number }

const listed = 500

/**
 * Documents without an owner who could sign in: those of people who joined by name before the server had accounts, and
 * of people whose accounts are closed. An operator assigns a new owner.
 */
export class Ownerless {
  readonly #deps: OwnerlessDeps
  constructor(deps: OwnerlessDeps) {
    this.#deps = deps
  }

  /** Most recently changed first, at most 500; includes documents in the trash. */
  async list(): Promise<OwnerlessList['documents']> {
    const rows = await this.#ownerless().limit(listed).execute()
    const owners = await this.#ownersOf(rows.map(({ id }) => id))
    return rows.map(({ id, updated_at, trashed_at, ...row }) => ({
      id,
      title: shownTitle(row),
      updatedAt: new Date(updated_at).toISOString(),
      trashed: trashed_at !== null,
      owners: owners.get(id) ?? [],
    }))
  }

  /**
   * Makes a person the owner of a document without one.
   * @throws RequestError `not_found` for any other document, and for a person who can't sign in.
   */
  async handOver(document: string, person: string, by: string): Promise<void> {
    const { db, signals, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      // The lock keeps two operators from assigning two owners concurrently.
      const isThere = await lockItem(trx, { kind: 'document', id: document })
      const found = isThere ? await this.#ownerless(trx).where('documents.id', '=', document).execute() : []
      if (found.length === 0) {
        throw new RequestError('not_found', 'There is no such document without an owner.', 'Load the list again.')
      }
      const heir = await withAccount(trx).select('people.id').where('people.id', '=', person).executeTakeFirst()
      if (!heir) {
        throw new RequestError('not_found', 'No person with this id can sign in.', 'Choose another person.')
      }
      const row = { item: document, person, role: 'owner' as const, added_by: by, added_at: now() }
      await trx
        .insertInto('members')
        .values(row)
        .onConflict((conflict) => conflict.columns(['item', 'person']).doUpdateSet({ role: 'owner', added_by: by }))
        .execute()
    })
    signals.publish({ kind: 'rights', person, document })
  }

  async #ownersOf(documents: readonly string[]): Promise<Map<string, OwnerlessList['documents'][number]['owners']>> {
    if (documents.length === 0) return new Map()
    const rows = await this.#deps.db
      .selectFrom('members')
      .innerJoin('people', 'people.id', 'members.person')
      .select(['members.item as document', 'people.id', 'people.name', 'people.deactivated_at'])
      .where('members.role', '=', 'owner')
      .where('members.item', 'in', documents)
      .orderBy('members.added_at')
      .orderBy('people.id')
      .execute()
    const owners = new Map<string, OwnerlessList['documents'][number]['owners']>()
    for (const { document, id, name, deactivated_at } of rows) {
      const known = owners.get(document) ?? []
      owners.set(document, [...known, { id, name, closed: deactivated_at !== null }])
    }
    return owners
  }

  #ownerless(db: Kysely<Tables> = this.#deps.db) {
    const owned = withAccount(db)
      .innerJoin('members', 'members.person', 'people.id')
      .select('members.item')
      .where('members.role', '=', 'owner')
    return db
      .selectFrom('documents')
      .select([
        'documents.id',
        'documents.title',
        'documents.first_words',
        'documents.updated_at',
        'documents.trashed_at',
      ])
      .where('documents.deleted_at', 'is', null)
      .where('documents.id', 'not in', owned)
      .orderBy('updated_at', 'desc')
      .orderBy('documents.id')
  }
}

/** People with an account that isn't closed. */
function withAccount(db: Kysely<Tables>) {
  return db.selectFrom('people').where('people.email', 'is not', null).where('people.deactivated_at', 'is', null)
}
