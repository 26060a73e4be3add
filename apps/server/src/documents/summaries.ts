import type { DocumentEditor, DocumentSummary, Role, User } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { iso } from '../common/time.ts'
import { agentIdentity } from '../common/identity.ts'
import { accessOfRole } from '../rights/access.ts'
import type { Roles } from '../rights/roles.ts'
import { shownTitle } from '../store/first-words.ts'
import type { DocumentRow, Tables } from '../store/tables.ts'

export type SummariesDeps = {
  db: Kysely<Tables>
  roles: Roles
  /** How many milliseconds a document stays in the trash; undefined: forever. */
  trashMs: number | undefined
}

const peopleCounted = 20
const peopleShown = 4

type Around = {
  role: Role
  editors: ReadonlyMap<string, DocumentEditor>
  owners: ReadonlyMap<string, User>
  people: ReadonlyMap<string, readonly User[]>
  starred: ReadonlySet<string>
  folders: ReadonlySet<string>
}

/** The summaries of documents for lists and pages. The number of queries doesn't depend on the number of documents. */
export class Summaries {
  readonly #deps: SummariesDeps
  constructor(deps: SummariesDeps) {
    this.#deps = deps
  }

  /** The summaries of a page of rows for a person; without those of documents that the person may not open. */
  async of(rows: readonly DocumentRow[], person: string): Promise<DocumentSummary[]> {
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    const [roles, editors, owners, people, starred, folders] = await Promise.all([
      this.#deps.roles.rolesIn('document', person, ids),
      this.#editors(rows),
      this.#owners(ids),
      this.#people(ids),
      this.#starred(ids, person),
      this.#folders(rows, person),
    ])
    return rows.flatMap((row) => {
      const role = roles.get(row.id)
      return role ? [this.#toSummary(row, { role, editors, owners, people, starred, folders })] : []
    })
  }

  #toSummary(row: DocumentRow, { role, editors, owners, people, starred, folders }: Around): DocumentSummary {
    const { roles, trashMs } = this.#deps
    const seen = people.get(row.id) ?? []
    return {
      id: row.id,
      title: shownTitle(row),
      role,
      access: accessOfRole(role, roles.isOpen),
      agentMode: row.agent_mode,
      editorsShare: row.editors_share === 1,
      trashed: row.trashed_at !== null,
      createdAt: iso(row.created_at),
      updatedAt: iso(row.updated_at),
      editedBy: editorOf(row, editors),
      owner: owners.get(row.id) ?? null,
      people: seen.slice(0, peopleShown),
      peopleCount: seen.length,
      preview: row.preview ?? '',
      starred: starred.has(row.id),
      folder: row.folder !== null && folders.has(row.folder) ? row.folder : null,
      inherits: row.inherits,
      deletesAt: row.trashed_at === null || trashMs === undefined ? null : iso(row.trashed_at + trashMs),
    }
  }

  async #editors(rows: readonly DocumentRow[]): Promise<Map<string, DocumentEditor>> {
    const ids = [...new Set(rows.flatMap(({ edited_by }) => edited_by ?? []))]
    const people =
      ids.length === 0
        ? []
        : await this.#deps.db.selectFrom('people').where('id', 'in', ids).select(['id', 'name', 'color']).execute()
    return new Map(people.map((each) => [each.id, { ...each, kind: 'person' }]))
  }

  async #owners(documents: readonly string[]): Promise<Map<string, User>> {
    const rows = await this.#deps.db
      .selectFrom((eb) =>
        eb
          .selectFrom('members')
          .select(['members.item', 'members.person'])
          .select((of) =>
            of.fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('members.item').orderBy('members.added_at').orderBy('members.person'))
              .as('place'),
          )
          .where('members.item', 'in', documents)
          .where('members.role', '=', 'owner')
          .as('owner'),
      )
      .innerJoin('people', 'people.id', 'owner.person')
      .select(['owner.item', 'people.id', 'people.name', 'people.color'])
      .where('owner.place', '=', 1)
      .execute()
    return new Map(rows.map(({ item, ...owner }) => [item, owner]))
  }

  /** The last twenty people who have opened each document, without those who may no longer open it. */
  async #people(documents: readonly string[]): Promise<Map<string, User[]>> {
    const { db, roles } = this.#deps
    const [first, ...others] = documents.map((document) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('document_visits')
            .selectAll()
            .where('document', '=', document)
            .orderBy('last_at', 'desc')
            .limit(peopleCounted)
            .as('visit'),
        )
        .select(['visit.document', 'visit.person', 'visit.last_at']),
    )
    if (!first) return new Map()
    const visits = others.reduce((all, each) => all.unionAll(each), first)
    const rows = await db
      .selectFrom(visits.as('visit'))
      .innerJoin('people', 'people.id', 'visit.person')
      .select(['visit.document', 'people.id', 'people.name', 'people.color'])
      .orderBy('visit.last_at', 'desc')
      .orderBy('people.id')
      .execute()
    const holds = await roles.holders(documents, [...new Set(rows.map(({ id }) => id))])
    const seen = Map.groupBy(rows, ({ document }) => document)
    return new Map(
      [...seen].map(([document, of]) => [
        document,
        of.filter(({ id }) => holds(document, id)).map(({ document: _document, ...person }) => person),
      ]),
    )
  }

  async #starred(documents: readonly string[], person: string): Promise<Set<string>> {
    const rows = await this.#deps.db
      .selectFrom('stars')
      .select('document')
      .where('person', '=', person)
      .where('document', 'in', documents)
      .execute()
    return new Set(rows.map(({ document }) => document))
  }

  /** The folders of these documents that the person may see. */
  async #folders(rows: readonly DocumentRow[], person: string): Promise<Set<string>> {
    const folders = [...new Set(rows.flatMap(({ folder }) => folder ?? []))]
    return new Set((await this.#deps.roles.rolesIn('folder', person, folders)).keys())
  }
}

function editorOf(
  { edited_by: id, edited_name: name }: DocumentRow,
  people: ReadonlyMap<string, DocumentEditor>,
): DocumentEditor | null {
  if (id === agentIdentity.id) return { ...agentIdentity, kind: 'agent', name: name ?? agentIdentity.name }
  return people.get(id ?? '') ?? null
}
