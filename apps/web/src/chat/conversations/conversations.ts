import type { Message, Run } from '@copydesk/protocol'
import type { RoomSnapshot } from '../../collaboration/room-store.ts'
import { createStore } from '../../common/store.ts'

/** The id, in this app, of messages without a conversation id: the first conversation of a document. */
export const firstConversation = ''

/** One conversation of a document's chat; `at` is the time of its last message. */
export type Conversation = {
  id: string
  title: string
  at: string
  messages: readonly Message[]
  runs: ReadonlyMap<string, Run>
}

type Chat = Pick<RoomSnapshot, 'messages' | 'runs'>
type ConversationParts = { messages: Message[]; runs: Map<string, Run> }

/**
 * The conversations of a chat, the latest first. A run that was started outside the chat, in the text or a comment, is
 * shown in the conversation of the last message before it.
 */
export function readConversations({ messages, runs }: Chat): Conversation[] {
  const gathered = new Map<string, ConversationParts>()
  const inside = (id: string): ConversationParts => {
    const known = gathered.get(id) ?? { messages: [], runs: new Map<string, Run>() }
    gathered.set(id, known)
    return known
  }
  const ofMessage = new Map(messages.map((message) => [message.id, conversationOf(message)]))
  for (const message of messages) inside(conversationOf(message)).messages.push(message)
  for (const run of runs.values()) {
    const own = run.trigger.kind === 'chat' ? ofMessage.get(run.trigger.id) : undefined
    inside(own ?? conversationAt(messages, run.createdAt)).runs.set(run.id, run)
  }
  return [...gathered].map(toConversation).toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

function conversationOf({ conversation }: Message): string {
  return conversation ?? firstConversation
}

function conversationAt(messages: readonly Message[], time: string): string {
  const before = messages.findLast(({ createdAt }) => createdAt <= time) ?? messages[0]
  return before ? conversationOf(before) : firstConversation
}

const listedTitleLength = 80

function toConversation([id, { messages, runs }]: [string, ConversationParts]): Conversation {
  const first = messages.find(({ role }) => role === 'user')?.text ?? [...runs.values()][0]?.instruction ?? ''
  const times = [...messages, ...runs.values()].map(({ createdAt }) => createdAt)
  const at = times.reduce((latest, time) => (time > latest ? time : latest), '')
  return { id, title: first.replaceAll(/\s+/g, ' ').slice(0, listedTitleLength).toWellFormed(), at, messages, runs }
}

// The page size of the server: a room with fewer messages contains all.
const pageLength = 200

/** Messages that are no longer in the room and were fetched, and whether these are all. */
export type Earlier = { messages: readonly Message[]; isAll: boolean }

/** The messages of a chat, oldest first, with those that were fetched, and whether there may be earlier ones. */
export function withEarlier(earlier: Earlier, inRoom: readonly Message[]) {
  const known = new Set(inRoom.map(({ id }) => id))
  const messages = [...earlier.messages.filter(({ id }) => !known.has(id)), ...inRoom]
  return { messages, hasEarlier: !earlier.isAll && messages.length >= pageLength }
}

/**
 * The earlier messages after a page was fetched that precedes `messages`: includes these too, because the room drops
 * them for new ones.
 */
export function addPage(page: readonly Message[], messages: readonly Message[]): Earlier {
  return { messages: [...page, ...messages], isAll: page.length < pageLength }
}

/** The conversation that the user has opened, with its document. */
export const openedConversation = createStore<{ document: string; id: string } | null>(null)

/** The conversation of a document for a new message of this user: the opened one, else the latest. */
export function currentConversation(document: string, chat: Chat): string {
  const opened = openedConversation.get()
  if (opened?.document === document) return opened.id
  return readConversations(chat)[0]?.id ?? firstConversation
}

/** Whether the chat of a document, if it is visible, shows this run: the run's conversation is the current one. */
export function isInCurrent(document: string, chat: Chat, run: string): boolean {
  const current = currentConversation(document, chat)
  return readConversations(chat).some(({ id, runs }) => id === current && runs.has(run))
}

/** Opens the conversation that contains a message or a run; has no effect if there is none. */
export function openConversationWith(document: string, chat: Chat, id: string): void {
  const found = readConversations(chat).find(
    ({ messages, runs }) => runs.has(id) || messages.some((message) => message.id === id),
  )
  if (found) openedConversation.set({ document, id: found.id })
}
