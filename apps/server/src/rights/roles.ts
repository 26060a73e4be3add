import { Role } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { linkHolds } from './links.ts'

export type RolesDeps = {
  db: Kysely<Tables>
  now: () => number
  /** Whether everyone with a session may work on all documents, as under `AUTH=open`. */
  isOpen: boolean
}

/**
 * The roles of people in documents: the highest of their membership, of their confirmed address if the document is
 * shared with it, and of the valid links that they have opened.
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
  async roleOf(person: string, document: string, db: Kysely<Tables> = this.#deps.db): Promise<Role | undefined> {
    if (parseDocumentName(document)?.part !== 'content') return undefined
    const rows = await db
      .selectFrom('documents')
      .leftJoin(this.given(person, db).as('given'), 'given.document', 'documents.id')
      .select('given.role')
      .where('documents.id', '=', document)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('people').select('id').where('id', '=', person).where('deactivated_at', 'is not', null))),
      )
      .execute()
    if (rows.length === 0) return undefined
    return this.#highest(rows.map(({ role }) => role))
  }

  /** A person's roles in several existing documents. */
  async rolesIn(person: string, documents: readonly string[]): Promise<Map<string, Role>> {
    const { db } = this.#deps
    const rows =
      documents.length === 0
        ? []
        : await db
            .selectFrom(this.given(person, db).as('given'))
            .select(['document', 'role'])
            .where('document', 'in', documents)
            .execute()
    const found = Map.groupBy(rows, ({ document }) => document)
    return new Map(
      documents.flatMap((document) => {
        const role = this.#highest((found.get(document) ?? []).map(({ role: given }) => given))
        return role === undefined ? [] : [[document, role]]
      }),
    )
  }

  /** A query for the ids of everyone with a role in a document; undefined if every person has one. */
  peopleOf(document: string) {
    const { db, now, isOpen } = this.#deps
    if (isOpen) return undefined
    return db
      .selectFrom('members')
      .select('members.person')
      .where('members.document', '=', document)
      .union(
        db
          .selectFrom('link_visits')
          .innerJoin('links', 'links.id', 'link_visits.link')
          .select('link_visits.person')
          .where('links.document', '=', document)
          .where(linkHolds(now())),
      )
      .union(
        db
          .selectFrom('pending_members')
          .innerJoin('people', 'people.email', 'pending_members.email')
          .where('people.email_verified', '=', 1)
          .select('people.id as person')
          .where('pending_members.document', '=', document),
      )
  }

  /** A query for all role grants of a person, as rows of document and role, for use in other queries. */
  given(person: string, db: Kysely<Tables> = this.#deps.db) {
    const now = this.#deps.now()
    return db
      .selectFrom('members')
      .select(['members.document as document', 'members.role as role'])
      .where('members.person', '=', person)
      .unionAll(
        db
          .selectFrom('link_visits')
          .innerJoin('links', 'links.id', 'link_visits.link')
          .select(['links.document as document', 'links.role as role'])
          .where('link_visits.person', '=', person)
          .where(linkHolds(now))
          .$castTo<{ document: string; role: Role }>(),
      )
      .unionAll(
        db
          .selectFrom('pending_members')
          .innerJoin('people', 'people.email', 'pending_members.email')
          .where('people.email_verified', '=', 1)
          .select(['pending_members.document as document', 'pending_members.role as role'])
          .where('people.id', '=', person),
      )
  }

  #highest(roles: readonly (Role | null)[]): Role | undefined {
    const all = this.#deps.isOpen ? [...roles, 'editor' as const] : roles
    // `Role.options` is ordered from the highest role.
    return Role.options.find((role) => all.includes(role))
  }
}

/** Whether a role is at least as high as another. */
export function isAtLeast(role: Role, other: Role): boolean {
  return Role.options.indexOf(role) <= Role.options.indexOf(other)
}
