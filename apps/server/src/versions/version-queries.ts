import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { agentIdentity, serverActor } from '../common/identity.ts'
import type { Tables, VersionRow } from '../store/tables.ts'
import type { RowInfo } from './version-boundaries.ts'

/** The `seq` of the newest row of a document's content log. */
export async function headOf(db: Kysely<Tables>, document: string): Promise<number> {
  const log = db.selectFrom('logs').select('seq').where('name', '=', contentName(document))
  return (await log.executeTakeFirstOrThrow()).seq
}

/** The newest version of a document, if it has any. */
export async function newestVersion(db: Kysely<Tables>, document: string): Promise<VersionRow | undefined> {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('document', '=', document)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The rows after a given one, in order, without the server's own; `writer` is the actor, or the named agent whose run
 * wrote the row.
 */
export async function readNotes(
  db: Kysely<Tables>,
  document: string,
  after: number,
): Promise<(RowInfo & { writer: string })[]> {
  return db
    .selectFrom('document_updates')
    .leftJoin('runs', (join) => join.onRef('runs.id', '=', 'run').on('actor', '=', agentIdentity.id))
    .select((eb) => ['seq', 'at', 'actor', 'run', eb.fn.coalesce('runs.agent', 'actor').as('writer')])
    .where('name', '=', contentName(document))
    .where('seq', '>', after)
    .where('actor', '!=', serverActor)
    .orderBy('seq')
    .execute()
}

/** The authors of the rows from one (exclusive) to another, people and agents, the latest last, without the server. */
export async function writersBetween(
  db: Kysely<Tables>,
  document: string,
  after: number,
  until: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('document_updates')
    .leftJoin('runs', (join) => join.onRef('runs.id', '=', 'run').on('actor', '=', agentIdentity.id))
    .select((eb) => [eb.fn.coalesce('runs.agent', 'actor').as('writer'), eb.fn.max('seq').as('last')])
    .where('name', '=', contentName(document))
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .where('actor', '!=', serverActor)
    .groupBy('writer')
    .orderBy('last')
    .execute()
  return rows.map(({ writer }) => writer)
}

export async function endedRuns(db: Kysely<Tables>, document: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('document', '=', document)
    .where('ended_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
