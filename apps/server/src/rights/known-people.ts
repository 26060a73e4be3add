import type { KnownPeople } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { foldText } from '../store/fold-text.ts'
import type { Tables } from '../store/tables.ts'
import { type Item, withInside } from './inheritance.ts'
import type { Roles } from './roles.ts'

const listed = 20
const searchedAtMost = 1000

/** Finds people by name, for sharing. */
export class KnownPeopleFinder {
  readonly #db: Kysely<Tables>
  readonly #roles: Roles
  constructor({ db, roles }: { db: Kysely<Tables>; roles: Roles }) {
    this.#db = db
    this.#roles = roles
  }

  /**
   * People whose name or address contains `query`, among the members of documents and folders of which the caller is a
   * member, or among all people if every document is open to everyone. At most 20; never guests or closed accounts.
   */
  async find(caller: string, query: string): Promise<KnownPeople['people']> {
    const db = this.#db
    let select = db
      .selectFrom('people')
      .select(['id', 'name', 'color'])
      // Unconfirmed addresses are not searched: they may belong to another person.
      .select((eb) => eb.case().when('email_verified', '=', 1).then(eb.ref('email')).else(null).end().as('email'))
      .where('id', '!=', caller)
      .where('guest', '=', 0)
      .where('deactivated_at', 'is', null)
    if (!this.#roles.isOpen) {
      const own = db.selectFrom('members').select('item').where('person', '=', caller)
      const others = db.selectFrom('members').select('person').where('item', 'in', own)
      select = select.where('id', 'in', others)
    }
    const needle = foldText(query.trim())
    const rows = await select.orderBy('name').orderBy('id').limit(searchedAtMost).execute()
    return rows
      .filter(({ name, email }) => foldText(name).includes(needle) || (email ?? '').includes(needle))
      .slice(0, listed)
      .map(({ email, ...person }) => (email === null ? person : { ...person, email }))
  }
}

/**
 * Returns those of `people` whom the viewer knows: people who have opened the document or one in the folder, are its
 * members, or share a membership with the viewer. Operators know everyone.
 */
export async function knownTo(
  db: Kysely<Tables>,
  viewer: string,
  { kind, id }: Item,
  people: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = db.selectFrom('members').select('item').where('person', '=', viewer)
  const inside = withInside(db, id).selectFrom('inside').select('inside.id')
  const held = db.selectFrom('documents').select('documents.id').where('documents.folder', 'in', inside)
  const rows = await db
    .selectFrom('people')
    .select('people.id')
    .where('people.id', 'in', people)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('people as viewer')
            .select('viewer.id')
            .where('viewer.id', '=', viewer)
            .where('viewer.operator', '=', 1),
        ),
        exists(
          selectFrom('members')
            .select('members.person')
            .whereRef('members.person', '=', 'people.id')
            .where((eb) => eb.or([eb('members.item', '=', id), eb('members.item', 'in', own)])),
        ),
        exists(
          selectFrom('document_visits')
            .select('document_visits.person')
            .whereRef('document_visits.person', '=', 'people.id')
            .where('document_visits.document', kind === 'folder' ? 'in' : '=', kind === 'folder' ? held : id),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}
