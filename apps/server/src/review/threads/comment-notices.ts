import type { Author, Mentioned } from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import type { Notifications } from '../../notifications/notifications.ts'
import type { RunCredential } from '../../runs/new-runs.ts'
import type { CommentRow, Tables } from '../../store/tables.ts'

/** A comment to store. Only a user's comment can call the agent and, by the ids in `mentions`, users. */
export type NewComment = {
  id: string
  author: Author
  text: string
  /** The wording that the comment proposes for the text of its new thread. */
  replacement?: string
  run?: string
  mentions?: readonly string[]
  /** The credential of a user's comment: a run that the comment starts is limited by it. */
  credential?: RunCredential
}

/** The thread of a new comment, and the comments before it. */
export type ThreadPlace = { document: string; thread: string; before: readonly CommentRow[] }

/** The users whom a comment mentions. Only users' comments can mention users; mentions by an agent are ignored. */
export async function mentionedBy(
  notifications: Notifications,
  trx: Transaction<Tables>,
  document: string,
  { author, text, mentions }: NewComment,
): Promise<Mentioned[]> {
  return author.kind === 'person' ? notifications.mentionedIn(trx, document, text, mentions) : []
}

/** Notifies the users whom a comment mentions, each once; returns their ids. */
export async function notifyOfMention(
  notifications: Notifications,
  trx: Transaction<Tables>,
  { document, thread }: Pick<ThreadPlace, 'document' | 'thread'>,
  { id, author, text }: Pick<NewComment, 'id' | 'author' | 'text'>,
  mentions: readonly Mentioned[],
): Promise<string[]> {
  if (author.kind !== 'person') return []
  const cause = { document, place: 'comment', source: id, thread, actor: author.id, text } as const
  const mentioned = mentions.map((person) => person.id)
  await notifications.notifyIn(trx, { ...cause, kind: 'mention' }, mentioned)
  return mentioned.filter((person) => person !== author.id)
}

/** Notifies the users whom a user's comment mentions and those who have commented in its thread; returns their ids. */
export async function notifyOfComment(
  notifications: Notifications,
  trx: Transaction<Tables>,
  { document, thread, before }: ThreadPlace,
  { id, author, text }: NewComment,
  mentions: readonly Mentioned[],
): Promise<string[]> {
  if (author.kind !== 'person') return []
  const others = before.filter(({ author_kind }) => author_kind === 'person').map(({ author_id }) => author_id)
  // A mentioned participant gets one notification: a second row with the same source isn't stored.
  const mentioned = await notifyOfMention(notifications, trx, { document, thread }, { id, author, text }, mentions)
  const cause = { document, place: 'comment', source: id, thread, actor: author.id, text } as const
  await notifications.notifyIn(trx, { ...cause, kind: 'reply' }, others)
  return [...new Set([...mentioned, ...others])].filter((person) => person !== author.id)
}
