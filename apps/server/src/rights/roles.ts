import { Role } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { type GrantRow, highestGrant, type ItemKind, withAround } from './inheritance.ts'
import { isLinkValid } from './links.ts'

export type RolesDeps = {
  db: Kysely<Tables>
  now: () => number
  /** Whether every person with a session may work on all documents, as under `AUTH=open`. */
  isOpen: boolean
}

/**
 * The roles of people in documents and folders: the highest of their membership, of the share with their confirmed
 * address, of the valid links that they have opened, and of the roles inherited from the folder.
 */
export class Roles {
  readonly #deps: RolesDeps
  constructor(deps: RolesDeps) {
    this.#deps = deps
  }

  /** Whether documents are open to everyone with a session. */
  get isOpen(): boolean {
    return this.#deps.isOpen
  }

  /** A person's role in a document; undefined if the document doesn't exist or isn't shared with them. */
  async roleOf(person: string, document: string, db?: Kysely<Tables>): Promise<Role | undefined> {
    if (parseDocumentName(document)?.part !== 'content') return undefined
    return (await this.rolesIn('document', person, [document], db)).get(document)
  }

  /** A person's role in a folder; undefined if the folder doesn't exist or isn't shared with them. */
  async roleInFolder(person: string, folder: string, db?: Kysely<Tables>): Promise<Role | undefined> {
    return (await this.rolesIn('folder', person, [folder], db)).get(folder)
  }

  /**
   * A person's roles in several documents or folders; without items that don't exist or aren't shared with the person.
   */
  async rolesIn(
    kind: ItemKind,
    person: string,
    items: readonly string[],
    db: Kysely<Tables> = this.#deps.db,
  ): Promise<Map<string, Role>> {
    if (items.length === 0) return new Map()
    const rows = await this.#grants(kind, person, items, db)
    const roles = new Map<string, Role>()
    for (const [item, of] of Map.groupBy(rows, (row) => row.item)) {
      const all = [highestGrant(of)?.role, this.#deps.isOpen ? ('editor' as const) : undefined]
      // `Role.options` is ordered from the highest role.
      const highest = Role.options.find((role) => all.includes(role))
      if (highest) roles.set(item, highest)
    }
    return roles
  }

  /** These items and the folders from which they inherit, each with the person's own role there, if any. */
  #grants(kind: ItemKind, person: string, items: readonly string[], db: Kysely<Tables>) {
    const { now } = this.#deps
    const columns = ['around.item', 'around.source', 'around.depth', 'around.inherits'] as const
    // Each part of the query uses an index: a person may have roles in very many documents.
    return withAround(db, kind, items)
      .selectFrom('around')
      .leftJoin('members', (on) => on.onRef('members.item', '=', 'around.source').on('members.person', '=', person))
      .select([...columns, 'members.role'])
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('people').select('id').where('id', '=', person).where('deactivated_at', 'is not', null))),
      )
      .unionAll((eb) =>
        eb
          .selectFrom('around')
          .innerJoin('links', 'links.document', 'around.source')
          .innerJoin('link_visits', 'link_visits.link', 'links.id')
          .where('link_visits.person', '=', person)
          .where(isLinkValid(now()))
          .select([...columns, 'links.role'])
          .$castTo<GrantRow & { item: string }>(),
      )
      .unionAll((eb) =>
        eb
          .selectFrom('around')
          .innerJoin('pending_members', 'pending_members.item', 'around.source')
          .innerJoin('people', 'people.email', 'pending_members.email')
          .where('people.id', '=', person)
          .where('people.email_verified', '=', 1)
          .select([...columns, 'pending_members.role']),
      )
      .execute()
  }

  /** A query for the ids of all people with a role in a document; undefined if every person has one. */
  peopleOf(document: string) {
    const { db, now, isOpen } = this.#deps
    if (isOpen) return undefined
    const sources = withAround(db, 'document', [document]).selectFrom('around').select('around.source')
    return db
      .selectFrom('members')
      .select('members.person')
      .where('members.item', 'in', sources)
      .union(
        db
          .selectFrom('link_visits')
          .innerJoin('links', 'links.id', 'link_visits.link')
          .select('link_visits.person')
          .where('links.document', '=', document)
          .where(isLinkValid(now())),
      )
      .union(
        db
          .selectFrom('pending_members')
          .innerJoin('people', 'people.email', 'pending_members.email')
          .where('people.email_verified', '=', 1)
          .select('people.id as person')
          .where('pending_members.item', 'in', sources),
      )
  }

  /** Whether each of these people has a role in each of these documents. */
  async holders(
    documents: readonly string[],
    people: readonly string[],
  ): Promise<(document: string, person: string) => boolean> {
    const { db, now, isOpen } = this.#deps
    if (isOpen || documents.length === 0 || people.length === 0) return () => isOpen
    const rows = await withAround(db, 'document', documents)
      .selectFrom('around')
      .innerJoin('members', 'members.item', 'around.source')
      .where('members.person', 'in', people)
      .select(['around.item', 'members.person'])
      .union((eb) =>
        eb
          .selectFrom('link_visits')
          .innerJoin('links', 'links.id', 'link_visits.link')
          .where('links.document', 'in', documents)
          .where('link_visits.person', 'in', people)
          .where(isLinkValid(now()))
          .select(['links.document as item', 'link_visits.person']),
      )
      .union((eb) =>
        eb
          .selectFrom('around')
          .innerJoin('pending_members', 'pending_members.item', 'around.source')
          .innerJoin('people', 'people.email', 'pending_members.email')
          .where('people.id', 'in', people)
          .where('people.email_verified', '=', 1)
          .select(['around.item', 'people.id as person']),
      )
      .execute()
    const held = new Set(rows.map(({ item, person }) => `${item} ${person}`))
    return (document, person) => held.has(`${document} ${person}`)
  }

  /** A query for all roles given directly to a person, as rows of item and role, for use in other queries. */
  given(person: string) {
    const { db } = this.#deps
    const now = this.#deps.now()
    return db
      .selectFrom('members')
      .select(['members.item as item', 'members.role as role'])
      .where('members.person', '=', person)
      .unionAll(
        db
          .selectFrom('link_visits')
          .innerJoin('links', 'links.id', 'link_visits.link')
          .select(['links.document as item', 'links.role as role'])
          .where('link_visits.person', '=', person)
          .where(isLinkValid(now))
          .$castTo<{ item: string; role: Role }>(),
      )
      .unionAll(
        db
          .selectFrom('pending_members')
          .innerJoin('people', 'people.email', 'pending_members.email')
          .where('people.email_verified', '=', 1)
          .select(['pending_members.item as item', 'pending_members.role as role'])
          .where('people.id', '=', person),
      )
  }

  /**
   * A query for the ids of all folders in which a person has a role; undefined if all people have one in all folders.
   */
  foldersOf(person: string) {
    const { db, isOpen } = this.#deps
    if (isOpen) return undefined
    return db
      .withRecursive('reached', (cte) =>
        cte
          .selectFrom('folders')
          .select('folders.id')
          .where('folders.id', 'in', cte.selectFrom(this.given(person).as('given')).select('given.item'))
          .union(
            cte
              .selectFrom('folders')
              .innerJoin('reached', 'reached.id', 'folders.parent')
              .select('folders.id')
              .where('folders.inherits', '!=', 'none'),
          ),
      )
      .selectFrom('reached')
      .select('reached.id')
  }

  /**
   * A query for the ids of all documents in which a person has a role; undefined if all people have one in all
   * documents.
   */
  documentsOf(person: string) {
    const folders = this.foldersOf(person)
    const { db } = this.#deps
    return (
      folders &&
      db
        .selectFrom(this.given(person).as('given'))
        .select('given.item as id')
        .union(
          db
            .selectFrom('documents')
            .select('documents.id')
            .where('documents.folder', 'in', folders)
            .where('documents.inherits', '!=', 'none'),
        )
    )
  }
}
