import { localizable } from '@copydesk/tools/localizable'
import type { Access, Author, Reaction, ReactionEmoji } from '@copydesk/protocol'
import { unmarkThread } from '@copydesk/tools'
import { type Refusal, refuse } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import type { Notifications } from '../../notifications/notifications.ts'
import { removeThread } from '../../room/review.ts'
import type { CommentRow } from '../../store/tables.ts'
import { readContent, writeContent } from '../content.ts'
import type { ThreadScope } from './comment-call.ts'
import { mentionedBy, notifyOfMention } from './comment-notices.ts'
import { findFullThread } from './thread-limits.ts'
import { type CommentPlace, findComment, reactionsOf } from './thread-rows.ts'

type Deps = { notifications: Notifications; now: () => number }

/** The new text of a comment, and the ids of the mentioned people. */
export type Rewording = { text: string; mentions?: readonly string[] | undefined }

/**
 * Replaces the text of a comment by its author. People whom it mentions for the first time are notified; it starts no
 * run. Returns the notified people.
 */
export async function rewordComment(
  { notifications, now }: Deps,
  { trx }: ThreadScope,
  place: CommentPlace,
  { text, mentions }: Rewording,
  author: Author,
): Promise<{ ok: true; notified: string[] } | Refusal> {
  const { document, thread, comment: id } = place
  const found = await findComment(trx, place)
  if (!found.ok) return found
  const { comment } = found
  if (comment.author_id !== author.id)
    return refuse('forbidden', 'Only the author of a comment can change it.', 'Reply to it instead.')
  if (comment.text === text) return { ok: true, notified: [] }
  const others = found.comments.filter((each) => each !== comment)
  const full = await findFullThread(trx, document, others, { text }, comment.text.length)
  if (full) return full
  const mentioned = await mentionedBy(notifications, trx, document, { id, author, text, ...(mentions && { mentions }) })
  await trx
    .updateTable('comments')
    .set({ text, mentions: mentioned.length === 0 ? null : JSON.stringify(mentioned), edited_at: now() })
    .where('document', '=', document)
    .where('id', '=', id)
    .execute()
  await notifications.rewordIn(trx, document, id, text)
  const notified = await notifyOfMention(notifications, trx, { document, thread }, { id, author, text }, mentioned)
  return { ok: true, notified }
}

/**
 * Deletes a comment with its notifications; with its last comment a thread is deleted with its marks. People may delete
 * their own comments, editors also those of the agent, owners all. Refused while the agent works on the comment.
 */
export async function deleteComment(
  { notifications }: Deps,
  scope: ThreadScope,
  place: CommentPlace,
  by: { author: Author; access: Access },
): Promise<{ ok: true; isEmpty: boolean; notified: string[] } | Refusal> {
  const { trx } = scope
  const { document, thread, comment: id } = place
  const found = await findComment(trx, place)
  if (!found.ok) return found
  if (!mayDelete(found.comment, by))
    return refuse('forbidden', 'Only its author and owners can delete a comment.', 'Resolve its thread instead.')
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('document', '=', document)
    .where('trigger_id', '=', id)
    .where('status', 'in', ['queued', 'running', 'awaiting_approval'])
    .executeTakeFirst()
  if (run) return refuse('conflict', 'The agent is working on this comment.', 'Stop it first, or wait for its answer.')
  await trx.deleteFrom('comments').where('document', '=', document).where('id', '=', id).execute()
  const notified = await notifications.forgetIn(trx, document, id)
  const isEmpty = found.comments.length === 1
  if (isEmpty) await deleteThread(scope, document, thread)
  return { ok: true, isEmpty, notified }
}

function mayDelete(comment: CommentRow, { author, access }: { author: Author; access: Access }): boolean {
  if (comment.author_id === author.id || allows(access, 'manage')) return true
  return comment.author_kind === 'agent' && allows(access, 'write')
}

async function deleteThread({ room, content, trx }: ThreadScope, document: string, id: string): Promise<void> {
  await trx.deleteFrom('threads').where('document', '=', document).where('id', '=', id).execute()
  removeThread(room, id)
  const read = content && readContent(content)
  if (read?.ok) writeContent(read, unmarkThread(read.node, id))
}

/** The maximum number of people who react to one comment with the same emoji: all clients receive their names. */
const mostPeople = 200

/** Adds a person's reaction to a comment, or removes it. Repeated calls have no effect. */
export async function react(
  { trx }: ThreadScope,
  place: CommentPlace,
  { emoji, isOn }: { emoji: ReactionEmoji; isOn: boolean },
  { id, name }: Author,
): Promise<{ ok: true } | Refusal> {
  const found = await findComment(trx, place)
  if (!found.ok) return found
  const before = reactionsOf(found.comment)
  const people = (before.find((each) => each.emoji === emoji)?.people ?? []).filter((each) => each.id !== id)
  if (isOn && people.length >= mostPeople)
    return refuse(
      'too_large',
      localizable`A comment takes at most ${mostPeople} times the same reaction.`,
      'Choose another one.',
    )
  const changed: Reaction = { emoji, people: isOn ? [...people, { id, name }] : people }
  const isNew = !before.some((each) => each.emoji === emoji)
  const after = (isNew ? [...before, changed] : before.map((each) => (each.emoji === emoji ? changed : each))).filter(
    (each) => each.people.length > 0,
  )
  await trx
    .updateTable('comments')
    .set({ reactions: after.length === 0 ? null : JSON.stringify(after) })
    .where('document', '=', place.document)
    .where('id', '=', place.comment)
    .execute()
  return { ok: true }
}
