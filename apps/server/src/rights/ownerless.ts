import type { Kysely } from 'kysely'
import { RequestError } from '../errors.ts'
import type { Signals } from '../signals.ts'
import type { Tables } from '../store/tables.ts'

export type OwnerlessDeps = { db: Kysely<Tables>; signals: Pick<Signals, 'publish'>; now: () => number }

const listed = 500

/**
 * Documents that nobody owns who could still sign in: those of people who came by a name only before the server had accounts, and of
 * people who were deactivated. The operator takes them over, to keep them or to hand them on.
 */
export class Ownerless {
  readonly #deps: OwnerlessDeps
  constructor(deps: OwnerlessDeps) {
    this.#deps = deps
  }

  /** The last changed first, at most 500; those in the trash too. */
  async list(): Promise<{ id: string; title: string; updatedAt: string }[]> {
    const rows = await this.#ownerless().limit(listed).execute()
    return rows.map(({ id, title, updated_at }) => ({ id, title, updatedAt: new Date(updated_at).toISOString() }))
  }

  /** Makes this person an owner of a document that has none. @throws RequestError `not_found` for any other. */
  async take(document: string, person: string): Promise<void> {
    const { db, signals, now } = this.#deps
    const found = await this.#ownerless().where('documents.id', '=', document).executeTakeFirst()
    if (!found) throw new RequestError('not_found', 'There is no such document without an owner.')
    const row = { document, person, role: 'owner' as const, added_by: person, added_at: now() }
    await db
      .insertInto('members')
      .values(row)
      .onConflict((conflict) => conflict.columns(['document', 'person']).doUpdateSet({ role: 'owner' }))
      .execute()
    signals.publish({ kind: 'rights', person, document })
  }

  #ownerless() {
    const { db } = this.#deps
    const owned = db
      .selectFrom('members')
      .innerJoin('people', 'people.id', 'members.person')
      .select('members.document')
      .where('members.role', '=', 'owner')
      .where('people.email', 'is not', null)
      .where('people.deactivated_at', 'is', null)
    return db
      .selectFrom('documents')
      .select(['documents.id', 'documents.title', 'documents.updated_at'])
      .where('documents.id', 'not in', owned)
      .orderBy('updated_at', 'desc')
      .orderBy('documents.id')
  }
}
