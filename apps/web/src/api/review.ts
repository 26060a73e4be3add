import { Thread, type Selection } from '@copydesk/protocol'
import { directoryOf } from '../mentions/people-directory.ts'
import { request, send } from './client.ts'

/** Where and on what a thread begins: the selected text, its place and the first comment. */
export type NewThread = { quote?: string; selection: Selection; text: string }

/** Whether a suggested change becomes part of the text or goes. */
export type Decision = 'accept' | 'reject'

/** Begins a comment thread; it arrives in the room document. Whom its text names as `@name` is mentioned. */
export function postThread(document: string, thread: NewThread): Promise<Thread> {
  const body = { ...thread, mentions: directoryOf(document).mentionedIn(thread.text) }
  return request(`${pathOf(document)}/threads`, Thread, { method: 'POST', body })
}

/** Replies in a thread; the reply arrives in the room document. Whom it names as `@name` is mentioned. */
export async function postComment(document: string, thread: string, text: string): Promise<void> {
  const body = { text, mentions: directoryOf(document).mentionedIn(text) }
  await send(`${pathOf(document)}/threads/${encodeURIComponent(thread)}/comments`, { method: 'POST', body })
}

/** Resolves a thread or opens it again. */
export async function resolveThread(document: string, thread: string, resolved: boolean): Promise<void> {
  await send(`${pathOf(document)}/threads/${encodeURIComponent(thread)}`, { method: 'PATCH', body: { resolved } })
}

/** Suggests to put other plain text, or none, in the place of what was selected: the way of those who may not edit. */
export async function suggestChange(
  document: string,
  selection: Selection | undefined,
  replaceWith: string,
): Promise<void> {
  await send(`${pathOf(document)}/changes`, { method: 'POST', body: { selection, replaceWith } })
}

/** Accepts or rejects a suggested change. Rejects with `conflict` when somebody has decided already; the message says who. */
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

/** Takes away a place that the agent points at, for everyone. */
export async function dismissHighlight(document: string, highlight: string): Promise<void> {
  await send(`${pathOf(document)}/highlights/${encodeURIComponent(highlight)}`, { method: 'DELETE' })
}

function pathOf(document: string): string {
  return `/documents/${encodeURIComponent(document)}`
}
