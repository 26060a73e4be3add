import type { Author, Mentioned } from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import type { Notifications } from '../notifications/notifications.ts'
import type { RunCredential } from '../runs/run-store.ts'
import type { CommentRow, Tables } from '../store/tables.ts'

/** A comment to store. Only what a person says can call the agent and, by their ids in `mentions`, people. */
export type NewComment = {
  id: string
  author: Author
  text: string
  run?: string
  mentions?: readonly string[]
  /** With what a person says it: a run that it starts is limited by that. */
  credential?: RunCredential
}

/** Where a comment was put, and what stood there before it. */
type Place = { document: string; thread: string; before: readonly CommentRow[] }

/** Whom a comment names. Only people name anybody: what an agent writes calls nobody. */
export async function mentionedBy(
  notifications: Notifications,
  trx: Transaction<Tables>,
  document: string,
  { author, text, mentions }: NewComment,
): Promise<Mentioned[]> {
  return author.kind === 'person' ? notifications.mentionedIn(trx, document, text, mentions) : []
}

/** Notifies whom a person's comment mentions and whoever has said something in its thread. Answers who that is. */
export async function notifyOfComment(
  notifications: Notifications,
  trx: Transaction<Tables>,
  { document, thread, before }: Place,
  { id, author, text }: NewComment,
  mentions: readonly Mentioned[],
): Promise<string[]> {
  if (author.kind !== 'person') return []
  const occasion = { document, place: 'comment', source: id, thread, actor: author.id, text } as const
  const mentioned = mentions.map((person) => person.id)
  const others = before.filter(({ author_kind }) => author_kind === 'person').map(({ author_id }) => author_id)
  // Whoever is mentioned and takes part is told once: a second row of the same source is none.
  await notifications.notifyIn(trx, { ...occasion, kind: 'mention' }, mentioned)
  await notifications.notifyIn(trx, { ...occasion, kind: 'reply' }, others)
  return [...new Set([...mentioned, ...others])].filter((person) => person !== author.id)
}
