import {
  type Author,
  type Change,
  type ChangeContributor,
  type ChangeRecord,
  hasNoContributorExcept,
} from '@copydesk/protocol'
import { readChanges, type SuggestedChange } from '@copydesk/schema'
import type * as Y from 'yjs'
import type { Refusal } from '../../common/errors.ts'
import { readContent } from '../content.ts'
import { type Db, findChanges, findContributors, type RecordedChange, toChangeRecord } from '../review-rows.ts'

/** The author of a change, and its other contributors. */
export type ChangeAuthor = Author & { run?: string; alsoBy?: ChangeContributor[] }

/** Selects open changes by author, run and list of ids; a change must match all given parts. */
export type ChangeFilter = { author?: string; run?: string; ids?: readonly string[] }

const unknownAuthor: Author = { id: 'unknown', name: 'Unknown person', kind: 'person' }

/** The open changes of a document's content, in document order. */
export async function listChanges(
  content: Y.Doc,
  document: string,
  db: Db,
): Promise<{ ok: true; changes: Change[] } | Refusal> {
  const read = readContent(content)
  if (!read.ok) return read
  const standing = readChanges(read.node)
  const ids = standing.map(({ id }) => id)
  const rows = await findChanges(db, document, ids)
  return { ok: true, changes: standing.map((change) => describeChange(change, rows.get(change.id))) }
}

/** A change of the content with its author. Every valid change id has a row with its author. */
export function describeChange({ id, type, before, after }: SuggestedChange, row: RecordedChange | undefined): Change {
  const record: ChangeRecord = row
    ? toChangeRecord(row)
    : { id, author: unknownAuthor, createdAt: new Date(0).toISOString() }
  return { ...record, id, type, before, after }
}

/** The authors of the undecided changes, by change id. */
export async function findAuthors(db: Db, document: string): Promise<Map<string, ChangeAuthor>> {
  const contributors = await findContributors(db, document)
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('document', '=', document)
    .where('decision', 'is', null)
    .execute()
  const records = rows.map((row) => toChangeRecord({ ...row, contributors: contributors.get(row.id) ?? [] }))
  return new Map(
    records.map(({ id, author, run, alsoBy }) => [
      id,
      { ...author, ...(run === undefined ? {} : { run }), ...(alsoBy ? { alsoBy } : {}) },
    ]),
  )
}

/**
 * Creates a predicate for changes that match a filter. By author or run, a change with contributors other than `by`,
 * who decides, never matches.
 */
export function createFilter({ author, run, ids }: ChangeFilter, by: Author): (change: Change) => boolean {
  const wanted = ids && new Set(ids)
  const isByName = author !== undefined || run !== undefined
  return (change) =>
    (author === undefined || change.author.id === author) &&
    (run === undefined || change.run === run) &&
    (!isByName || hasNoContributorExcept(change, by.id)) &&
    (!wanted || wanted.has(change.id))
}
