import {
  type Author,
  type ChangeHand,
  type ChangeRecord,
  type Comment,
  Mentioned,
  type Thread,
} from '@copydesk/protocol'
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import type { ChangeRow, CommentRow, ContributorRow, Tables, ThreadRow } from '../store/tables.ts'

/** A store connection, within a transaction or not. */
export type Db = Kysely<Tables> | Transaction<Tables>

/** A check that a write runs first, in its own transaction; if it throws, nothing is stored. */
export type Check = (trx: Transaction<Tables>) => Promise<void>

/** The author columns of a row. */
type Authored = { author_id: string; author_name: string; author_kind: 'person' | 'agent' }

/** An author as its columns. */
export function authorColumns({ id, name, kind }: Author): Authored {
  return { author_id: id, author_name: name, author_kind: kind }
}

/** The author of a row. */
function toAuthor(row: Authored): Author {
  return { id: row.author_id, name: row.author_name, kind: row.author_kind }
}

/** A thread's row and its comments' rows as a protocol `Thread`. */
export function toThread(row: ThreadRow, comments: readonly CommentRow[]): Thread {
  return {
    id: row.id,
    quote: row.quote,
    resolved: row.resolved === 1,
    orphaned: row.orphaned === 1,
    comments: comments.map(toComment),
  }
}

function toComment(row: CommentRow): Comment {
  return {
    id: row.id,
    author: toAuthor(row),
    text: row.text,
    ...(row.mentions === null ? {} : { mentions: readMentions(row.mentions) }),
    createdAt: iso(row.created_at),
    ...(row.run === null ? {} : { run: row.run }),
  }
}

function readMentions(json: string): Mentioned[] {
  return z.array(Mentioned).parse(JSON.parse(json))
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

function toContributor(row: ContributorRow): ChangeHand {
  return row.run === null ? toAuthor(row) : { ...toAuthor(row), run: row.run }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

/** A thread with its comments, or `undefined` if the document has none of this id. */
export async function findThread(
  db: Db,
  document: string,
  id: string,
): Promise<{ row: ThreadRow; comments: CommentRow[] } | undefined> {
  const row = await db
    .selectFrom('threads')
    .selectAll()
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const comments = await db
    .selectFrom('comments')
    .selectAll()
    .where('document', '=', document)
    .where('thread', '=', id)
    .orderBy('position')
    .execute()
  return { row, comments }
}

/** These threads of a document with their comments, by id. */
export async function findThreads(
  db: Db,
  document: string,
  ids: readonly string[],
): Promise<{ row: ThreadRow; comments: CommentRow[] }[]> {
  const found: { row: ThreadRow; comments: CommentRow[] }[] = []
  for (const part of inParts(ids)) {
    const rows = await db
      .selectFrom('threads')
      .selectAll()
      .where('document', '=', document)
      .where('id', 'in', part)
      .execute()
    const comments = await db
      .selectFrom('comments')
      .selectAll()
      .where('document', '=', document)
      .where('thread', 'in', part)
      .orderBy('position')
      .execute()
    const byThread = Map.groupBy(comments, ({ thread }) => thread)
    for (const row of rows) found.push({ row, comments: byThread.get(row.id) ?? [] })
  }
  return found
}

/** All threads of a document, oldest first. */
export async function listThreads(db: Db, document: string): Promise<Thread[]> {
  const rows = await db
    .selectFrom('threads')
    .selectAll()
    .where('document', '=', document)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const comments = await db
    .selectFrom('comments')
    .selectAll()
    .where('document', '=', document)
    .orderBy('position')
    .execute()
  const byThread = Map.groupBy(comments, ({ thread }) => thread)
  return rows.map((row) => toThread(row, byThread.get(row.id) ?? []))
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

/** The number of other contributors of each change of a document, as far as they are shown. */
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
