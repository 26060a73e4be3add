import type { DocumentList, ListDocumentsQuery } from '@copydesk/protocol'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { readCursor, unknownCursor, writeCursor } from '../common/cursor.ts'
import { withInside } from '../rights/inheritance.ts'
import type { Roles } from '../rights/roles.ts'
import { shownTitle } from '../store/first-words.ts'
import { foldText } from '../store/fold-text.ts'
import type { Tables } from '../store/tables.ts'
import { findPlaces } from './found-places.ts'
import type { Summaries } from './summaries.ts'

export type DocumentListDeps = { db: Kysely<Tables>; roles: Roles; summaries: Summaries }

const pageSize = 30

/** The columns by which lists are sorted; titles ascend, times descend. */
const sortColumns = { edited: 'updated_at', created: 'created_at', title: 'sort_title' } as const

const Cursor = z.union([
  z.tuple([z.enum(['edited', 'created']), z.number(), z.string()]),
  z.tuple([z.literal('title'), z.string(), z.string()]),
])

/**
 * A page of the documents that a person may open. `query` searches titles and text. Documents without any writing are
 * omitted.
 * @throws RequestError `invalid_input` for a cursor that no page in this order returned.
 */
export async function listDocuments(
  deps: DocumentListDeps,
  person: string,
  query: ListDocumentsQuery,
): Promise<DocumentList> {
  const { cursor, sort = 'edited' } = query
  const needle = foldText(query.query?.trim() ?? '')
  let select = filtered(deps, person, query, needle)
  const column = sortColumns[sort]
  const [isAfter, order] = sort === 'title' ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
  if (cursor !== undefined) {
    const [of, key, id] = readCursor(cursor, Cursor)
    if (of !== sort) throw unknownCursor()
    select = select.where((eb) =>
      eb.or([eb(column, isAfter, key), eb.and([eb(column, '=', key), eb('documents.id', '>', id)])]),
    )
  }
  const rows = await select
    .orderBy(column, order)
    .orderBy('documents.id')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  const [documents, places] = await Promise.all([
    deps.summaries.of(page, person),
    needle === '' ? undefined : findPlaces(deps.db, page, needle),
  ])
  return {
    documents: documents.map((each) => {
      const found = places?.get(each.id)
      return found ? { ...each, found } : each
    }),
    nextCursor: rows.length > pageSize && last ? writeCursor([sort, last[column], last.id]) : null,
  }
}

function filtered({ db, roles }: DocumentListDeps, person: string, query: ListDocumentsQuery, needle: string) {
  const { trash, owner, starred, folder } = query
  let select = db
    .selectFrom('documents')
    .selectAll('documents')
    .where('deleted_at', 'is', null)
    .where('trashed_at', trash ? 'is not' : 'is', null)
  if (!trash) select = select.where((eb) => eb.not(isAbandoned(eb)))
  const shared = roles.documentsOf(person)
  if (shared) select = select.where('documents.id', 'in', shared)
  if (owner) {
    const own = db.selectFrom('members').select('item').where('person', '=', person).where('role', '=', 'owner')
    select = select.where('documents.id', owner === 'me' ? 'in' : 'not in', own)
  }
  if (starred) {
    select = select.where('documents.id', 'in', db.selectFrom('stars').select('document').where('person', '=', person))
  }
  if (query.person !== undefined) {
    const visited = db.selectFrom('document_visits').select('document').where('person', '=', query.person)
    select = select.where('documents.id', 'in', visited)
    const theirs = roles.documentsOf(query.person)
    if (theirs) select = select.where('documents.id', 'in', theirs)
  }
  if (folder === 'none') {
    const seen = roles.foldersOf(person)
    select = select.where((eb) =>
      eb.or([eb('documents.folder', 'is', null), ...(seen ? [eb('documents.folder', 'not in', seen)] : [])]),
    )
  } else if (folder !== undefined) {
    const inside = withInside(db, folder).selectFrom('inside').select('inside.id')
    select =
      needle === '' ? select.where('documents.folder', '=', folder) : select.where('documents.folder', 'in', inside)
    const seen = roles.foldersOf(person)
    if (seen) select = select.where('documents.folder', 'in', seen)
  }
  if (needle === '') return select
  const pattern = `%${needle.replace(/[\\%_]/g, '\\$&')}%`
  return select
    .leftJoin('document_snapshots', 'document_snapshots.name', 'documents.id')
    .where(
      sql<boolean>`(documents.folded_title like ${pattern} escape '\\' or document_snapshots.text like ${pattern} escape '\\')`,
    )
}

/** Whether a document was never changed or shared, and its room is empty. */
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
    .whereRef('members.item', '=', 'documents.id')
    .whereRef('members.person', '!=', 'documents.created_by')
  const links = eb.selectFrom('links').select('links.id').whereRef('links.document', '=', 'documents.id')
  return eb.and([eb('untouched', '=', 1), ...[talk, sharers, links].map((each) => eb.not(eb.exists(each)))])
}

/**
 * The titles, by id, of the documents that are shared with a person. Lists of documents for operators only contain
 * these titles: of a document that isn't shared with them, operators only see the id.
 */
export async function readableTitles(
  { db, roles }: { db: Kysely<Tables>; roles: Roles },
  person: string,
  documents: readonly (string | null)[],
): Promise<Record<string, string>> {
  const ids = [...new Set(documents.filter((id) => id !== null))]
  const readable = [...(await roles.rolesIn('document', person, ids)).keys()]
  if (readable.length === 0) return {}
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'title', 'first_words'])
    .where('id', 'in', readable)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.id, shownTitle(row)]))
}
