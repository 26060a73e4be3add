import type { Author, ChangeContributor, ChangeRecord } from '@copydesk/protocol'
import type { Kysely, Transaction } from 'kysely'
import { iso } from '../common/time.ts'
import type { ChangeRow, ContributorRow, Tables } from '../store/tables.ts'

/** A store connection, within a transaction or not. */
export type Db = Kysely<Tables> | Transaction<Tables>

/** A check that a write runs first, in its own transaction; if it throws, nothing is stored. */
export type Check = (trx: Transaction<Tables>) => Promise<void>

type Authored = { author_id: string; author_name: string; author_kind: 'person' | 'agent' }

/** An author as its columns. */
export function authorColumns({ id, name, kind }: Author): Authored {
  return { author_id: id, author_name: name, author_kind: kind }
}

export function toAuthor(row: Authored): Author {
  return { id: row.author_id, name: row.author_name, kind: row.author_kind }
}

/** A change's row with those of its other contributors, the first twenty in order. */
export type RecordedChange = ChangeRow & { contributors: readonly ContributorRow[] }

/** How many contributors of a change the room and the API show. */
const contributorsShown = 20

/** A change's rows as a protocol `ChangeRecord`. */
export function toChangeRecord(row: RecordedChange): ChangeRecord {
  return {
    id: row.id,
    author: toAuthor(row),
    createdAt: iso(row.created_at),
    ...(row.run === null ? {} : { run: row.run }),
    ...(row.contributors.length === 0 ? {} : { alsoBy: row.contributors.map(toContributor) }),
  }
}

function toContributor(row: ContributorRow): ChangeContributor {
  return row.run === null ? toAuthor(row) : { ...toAuthor(row), run: row.run }
}

/** The rows of these suggested changes, by change id. */
export async function findChanges(
  db: Db,
  document: string,
  ids: readonly string[],
): Promise<Map<string, RecordedChange>> {
  const found = new Map<string, RecordedChange>()
  for (const part of inParts(ids)) {
    const rows = await db
      .selectFrom('changes')
      .selectAll()
      .where('document', '=', document)
      .where('id', 'in', part)
      .execute()
    if (rows.length === 0) continue
    const contributors = await findContributors(db, document, part)
    for (const row of rows) found.set(row.id, { ...row, contributors: contributors.get(row.id) ?? [] })
  }
  return found
}

/** The other contributors of a document's changes, or of `ids` among them: the first twenty of each change. */
export async function findContributors(
  db: Db,
  document: string,
  ids?: readonly string[],
): Promise<Map<string, ContributorRow[]>> {
  const query = db.selectFrom('change_contributors').selectAll().where('document', '=', document)
  const rows = await (ids ? query.where('change', 'in', ids) : query).orderBy('at').orderBy('writer').execute()
  const byChange = Map.groupBy(rows, ({ change }) => change)
  return new Map([...byChange].map(([change, contributors]) => [change, contributors.slice(0, contributorsShown)]))
}

/** The number of other contributors of each change of a document, at most as many as are shown. */
export async function countContributors(db: Db, document: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('change_contributors')
    .select((eb) => ['change', eb.fn.countAll<number>().as('count')])
    .where('document', '=', document)
    .groupBy('change')
    .execute()
  return new Map(rows.map(({ change, count }) => [change, Math.min(Number(count), contributorsShown)]))
}

/** Splits ids into parts that fit into one SQL statement. */
export function inParts(ids: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let at = 0; at < ids.length; at += 500) parts.push(ids.slice(at, at + 500))
  return parts
}
