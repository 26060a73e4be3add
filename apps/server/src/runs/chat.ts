import type { Message } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { toMessage } from './run-rows.ts'

/** Which messages of a document's chat: those before the message `before`, those of the conversation `conversation`. */
export type MessageFilter = { before?: string | undefined; conversation?: string | undefined }

/**
 * The chat of a document, oldest first; with `before`, only messages earlier than that one, with `conversation` only
 * those of that conversation.
 * @throws RequestError `invalid_input` if the document has no such message.
 */
export async function listMessages(
  db: Kysely<Tables>,
  document: string,
  options: MessageFilter & { limit?: number } = {},
): Promise<Message[]> {
  let query = db.selectFrom('messages').selectAll().where('document', '=', document)
  const pivot = options.before
    ? await db
        .selectFrom('messages')
        .select('created_at')
        .where('id', '=', options.before)
        .where('document', '=', document)
        .executeTakeFirst()
    : undefined
  if (options.conversation !== undefined) query = query.where('conversation', '=', options.conversation)
  if (options.before !== undefined && !pivot) {
    throw new RequestError(
      'invalid_input',
      'before: no message of this document.',
      'Use the id of one of its messages.',
    )
  }
  if (pivot && options.before !== undefined) {
    const { before } = options
    query = query.where((eb) =>
      eb.or([
        eb('created_at', '<', pivot.created_at),
        eb.and([eb('created_at', '=', pivot.created_at), eb('id', '<', before)]),
      ]),
    )
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(options.limit ?? 200)
    .execute()
  return rows.reverse().map(toMessage)
}

/**
 * The questions asked before this run in its conversation and their answers, in the order of the questions: an answer
 * follows its question even if it came after this run was requested. At most `limit` messages, the latest, with the API
 * keys
 * of their runs.
 */
export async function listChatBefore(
  db: Kysely<Tables>,
  run: RunRow,
  limit: number,
): Promise<(Message & { apiKey: string | null })[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('runs', 'runs.id', 'messages.run')
    .selectAll('messages')
    .select('runs.api_key')
    .where('messages.document', '=', run.document)
    .where((eb) =>
      run.conversation === null ? eb('runs.conversation', 'is', null) : eb('runs.conversation', '=', run.conversation),
    )
    .where((eb) =>
      eb.or([
        eb('runs.created_at', '<', run.created_at),
        eb.and([eb('runs.created_at', '=', run.created_at), eb('runs.id', '<', run.id)]),
      ]),
    )
    .orderBy('runs.created_at', 'desc')
    .orderBy('runs.id', 'desc')
    .orderBy('messages.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map((row) => ({ ...toMessage(row), apiKey: row.api_key }))
}
