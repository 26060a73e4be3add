import { type Comment, Mentioned, Reaction, type Thread } from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { type Refusal, refuse } from '../../common/errors.ts'
import type { CommentRow, Tables, ThreadRow } from '../../store/tables.ts'
import { iso } from '../../common/time.ts'
import { type Db, inParts, toAuthor } from '../review-rows.ts'

/** A comment, by the ids of its document and thread. */
export type CommentPlace = { document: string; thread: string; comment: string }

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
  const reactions = reactionsOf(row)
  return {
    id: row.id,
    author: toAuthor(row),
    text: row.text,
    ...(row.mentions === null ? {} : { mentions: z.array(Mentioned).parse(JSON.parse(row.mentions)) }),
    ...(row.replacement === null ? {} : { replacement: row.replacement }),
    ...(row.suggested === null ? {} : { suggested: row.suggested }),
    createdAt: iso(row.created_at),
    ...(row.edited_at === null ? {} : { editedAt: iso(row.edited_at) }),
    ...(row.run === null ? {} : { run: row.run }),
    ...(reactions.length === 0 ? {} : { reactions }),
  }
}

/** The reactions to a comment: each emoji once, in the order of its first reaction. */
export function reactionsOf({ reactions }: CommentRow): Reaction[] {
  return reactions === null ? [] : z.array(Reaction).parse(JSON.parse(reactions))
}

type FoundThread = { row: ThreadRow; comments: CommentRow[] }

/** A thread with its comments, or `undefined` if the document has none of this id. */
export async function findThread(db: Db, document: string, id: string): Promise<FoundThread | undefined> {
  return (await findThreads(db, document, [id]))[0]
}

/** A comment, with all comments of its thread, or `not_found`. */
export async function findComment(
  db: Db,
  { document, thread, comment: id }: CommentPlace,
): Promise<{ ok: true; comment: CommentRow; comments: CommentRow[] } | Refusal> {
  const comments = (await findThread(db, document, thread))?.comments ?? []
  const comment = comments.find((each) => each.id === id)
  if (comment) return { ok: true, comment, comments }
  return refuse('not_found', 'There is no such comment in this document.', 'It may have been deleted.')
}

/** These threads of a document with their comments, by id. */
export async function findThreads(db: Db, document: string, ids: readonly string[]): Promise<FoundThread[]> {
  const found: FoundThread[] = []
  for (const part of inParts(ids)) found.push(...(await readThreads(db, document, part)))
  return found
}

/** All threads of a document, oldest first. */
export async function listThreads(db: Db, document: string): Promise<Thread[]> {
  return (await readThreads(db, document)).map(({ row, comments }) => toThread(row, comments))
}

async function readThreads(db: Db, document: string, ids?: readonly string[]): Promise<FoundThread[]> {
  let threads = db.selectFrom('threads').selectAll().where('document', '=', document)
  let comments = db.selectFrom('comments').selectAll().where('document', '=', document)
  if (ids) {
    threads = threads.where('id', 'in', ids)
    comments = comments.where('thread', 'in', ids)
  }
  const rows = await threads.orderBy('created_at').orderBy('id').execute()
  const byThread = Map.groupBy(await comments.orderBy('position').execute(), ({ thread }) => thread)
  return rows.map((row) => ({ row, comments: byThread.get(row.id) ?? [] }))
}

/** The row of a new thread without a range of the text. */
export function newThreadRow(document: string, id: string, now: number): ThreadRow {
  return {
    document,
    id,
    quote: '',
    marked: '',
    prefix: '',
    suffix: '',
    resolved: 0,
    orphaned: 0,
    created_at: now,
  }
}

/** Replaces the text of a comment; returns whether the document has it. */
export async function amendComment(
  trx: Transaction<Tables>,
  document: string,
  { id, text }: { id: string; text: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('comments')
    .set({ text })
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the row of a new thread. */
export async function insertThread(trx: Transaction<Tables>, row: ThreadRow): Promise<void> {
  await trx.insertInto('threads').values(row).execute()
}
