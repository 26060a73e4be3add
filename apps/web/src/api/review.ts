import { Thread, type Selection } from '@copydesk/protocol'
import { directoryOf } from '../mentions/people-directory.ts'
import { request, send } from './client.ts'

/** A new thread: the selected text, its position and the first comment. */
export type NewThread = { quote?: string; selection: Selection; text: string }

/** Whether a suggested change is applied or discarded. */
export type Decision = 'accept' | 'reject'

/** Starts a comment thread; it arrives in the room document. People named in its text as `@name` are mentioned. */
export function postThread(document: string, thread: NewThread): Promise<Thread> {
  const body = { ...thread, mentions: directoryOf(document).mentionedIn(thread.text) }
  return request(`${pathOf(document)}/threads`, Thread, { method: 'POST', body })
}

/** Replies in a thread; the reply arrives in the room document. People named as `@name` are mentioned. */
export async function postComment(document: string, thread: string, text: string): Promise<void> {
  const body = { text, mentions: directoryOf(document).mentionedIn(text) }
  await send(`${pathOf(document)}/threads/${encodeURIComponent(thread)}/comments`, { method: 'POST', body })
}

/** Resolves a thread or reopens it. */
export async function resolveThread(document: string, thread: string, resolved: boolean): Promise<void> {
  await send(`${pathOf(document)}/threads/${encodeURIComponent(thread)}`, { method: 'PATCH', body: { resolved } })
}

/** Suggests to replace the selected text by other plain text, or to delete it; for users who may not edit. */
export async function suggestChange(
  document: string,
  selection: Selection | undefined,
  replaceWith: string,
): Promise<void> {
  await send(`${pathOf(document)}/changes`, { method: 'POST', body: { selection, replaceWith } })
}

/**
 * Accepts or rejects a suggested change. Rejects with `conflict` when another user has decided already; the message
 * says who.
 */
export async function decideChange(document: string, change: string, decision: Decision): Promise<void> {
  await send(`${pathOf(document)}/changes/${encodeURIComponent(change)}`, { method: 'POST', body: { decision } })
}

/** Accepts or rejects all suggested changes of the document, or those of one author or run. */
export async function decideAllChanges(
  document: string,
  decision: Decision,
  group: { author?: string; run?: string } = {},
): Promise<void> {
  await send(`${pathOf(document)}/changes`, { method: 'POST', body: { decision, ...group } })
}

/** Removes an agent's highlight, for all users. */
export async function dismissHighlight(document: string, highlight: string): Promise<void> {
  await send(`${pathOf(document)}/highlights/${encodeURIComponent(highlight)}`, { method: 'DELETE' })
}

function pathOf(document: string): string {
  return `/documents/${encodeURIComponent(document)}`
}
