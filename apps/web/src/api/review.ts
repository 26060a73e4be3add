import { type ReactionEmoji, type Selection, Thread } from '@copydesk/protocol'
import { apiPath, request, send } from './client.ts'

/** A new thread: the selected text, its position, the first comment, and the ids of the people it mentions. */
export type NewThread = { quote?: string; selection: Selection; text: string; mentions: string[] }

/** Whether a suggested change is applied or discarded. */
export type Decision = 'accept' | 'reject'

/** Starts a comment thread; it arrives in the room document. */
export function postThread(document: string, thread: NewThread): Promise<Thread> {
  return request(apiPath`/documents/${document}/threads`, Thread, { method: 'POST', body: thread })
}

/** A reply, and the ids of the people it mentions. */
type NewComment = { text: string; mentions: string[] }

/** Replies in a thread; the reply arrives in the room document. */
export async function postComment(document: string, thread: string, body: NewComment): Promise<void> {
  await send(apiPath`/documents/${document}/threads/${thread}/comments`, { method: 'POST', body })
}

/** Changes the text of the user's own comment. */
export async function rewordComment(
  document: string,
  thread: string,
  comment: string,
  body: NewComment,
): Promise<void> {
  await send(apiPath`/documents/${document}/threads/${thread}/comments/${comment}`, { method: 'PATCH', body })
}

/** Deletes a comment; the last comment of a thread with the thread. */
export async function deleteComment(document: string, thread: string, comment: string): Promise<void> {
  await send(apiPath`/documents/${document}/threads/${thread}/comments/${comment}`, { method: 'DELETE' })
}

/** Adds the user's reaction to a comment, or removes it. */
export async function react(
  document: string,
  thread: string,
  comment: string,
  { emoji, isOn }: { emoji: ReactionEmoji; isOn: boolean },
): Promise<void> {
  const path = apiPath`/documents/${document}/threads/${thread}/comments/${comment}/reactions/${emoji}`
  await send(path, { method: isOn ? 'PUT' : 'DELETE' })
}

export async function resolveThread(document: string, thread: string, resolved: boolean): Promise<void> {
  await send(apiPath`/documents/${document}/threads/${thread}`, { method: 'PATCH', body: { resolved } })
}

/** Suggests to replace the selected text by other plain text, or to delete it; for users who may not edit. */
export async function suggestChange(
  document: string,
  selection: Selection | undefined,
  replaceWith: string,
): Promise<void> {
  await send(apiPath`/documents/${document}/changes`, { method: 'POST', body: { selection, replaceWith } })
}

/** Suggests the replacement that a comment proposes; rejects with `conflict` if the text has changed since. */
export async function suggestProposed(document: string, comment: string): Promise<void> {
  await send(apiPath`/documents/${document}/changes`, { method: 'POST', body: { comment } })
}

/**
 * Accepts or rejects a suggested change. Rejects with `conflict` when another user has decided already; the message
 * names that user.
 */
export async function decideChange(document: string, change: string, decision: Decision): Promise<void> {
  await send(apiPath`/documents/${document}/changes/${change}`, { method: 'POST', body: { decision } })
}

/** Accepts or rejects all suggested changes of the document, or those of one author or run. */
export async function decideAllChanges(
  document: string,
  decision: Decision,
  group: { author?: string; run?: string } = {},
): Promise<void> {
  await send(apiPath`/documents/${document}/changes`, { method: 'POST', body: { decision, ...group } })
}

/** Removes an agent's highlight, for all users. */
export async function dismissHighlight(document: string, highlight: string): Promise<void> {
  await send(apiPath`/documents/${document}/highlights/${highlight}`, { method: 'DELETE' })
}
