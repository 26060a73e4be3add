import type { Message, Run } from '@copydesk/protocol'
import { afterEach, expect, test } from 'vitest'
import {
  addPage,
  currentConversation,
  firstConversation,
  isInCurrent,
  openConversationWith,
  openedConversation,
  readConversations,
  withEarlier,
} from './conversations.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }
const time = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString()

function message(id: string, second: number, rest: Partial<Message> = {}): Message {
  return { id, role: 'user', author: ana, text: `Say ${id}`, status: 'complete', createdAt: time(second), ...rest }
}

function run(id: string, second: number, trigger: Run['trigger']): Run {
  const usage = { inputTokens: 0, outputTokens: 0 }
  const base = { documentId: 'd', status: 'completed', invokedBy: ana, mode: 'edit', rounds: 1, maxRounds: 8 } as const
  return { ...base, id, trigger, instruction: `Do ${id}`, steps: [], usage, createdAt: time(second) }
}

const chat = (messages: readonly Message[], runs: Run[] = []) => ({
  messages,
  runs: new Map(runs.map((each) => [each.id, each])),
})
const ids = (list: ReturnType<typeof readConversations>) =>
  list.map(({ id, messages, runs }) => [id, messages.map((each) => each.id), [...runs.keys()]])

afterEach(() => openedConversation.set(null))

test('[CHAT-2] each message belongs to its conversation, those without one to the first; the latest comes first', () => {
  const messages = [message('a', 1), message('b', 2, { conversation: 'two' }), message('c', 3)]
  expect(ids(readConversations(chat(messages)))).toEqual([
    [firstConversation, ['a', 'c'], []],
    ['two', ['b'], []],
  ])
  expect(readConversations(chat(messages)).map(({ title, at }) => [title, at])).toEqual([
    ['Say a', time(3)],
    ['Say b', time(2)],
  ])
})

test('[CHAT-2] a run is shown with the message that started it, one from elsewhere after the last message before it', () => {
  const messages = [message('a', 2, { conversation: 'one' }), message('b', 4, { conversation: 'two' })]
  const runs = [
    run('early', 1, { kind: 'mention', id: 'x' }),
    run('late', 5, { kind: 'chat', id: 'a' }),
    run('text', 3, { kind: 'mention', id: 'y' }),
    run('gone', 6, { kind: 'chat', id: 'long ago' }),
  ]
  expect(ids(readConversations(chat(messages, runs)))).toEqual([
    ['two', ['b'], ['gone']],
    ['one', ['a'], ['early', 'late', 'text']],
  ])
  const [only] = readConversations(chat([], runs.slice(0, 1)))
  expect(only).toMatchObject({ id: firstConversation, title: 'Do early' })
})

test('[CHAT-3] the latest conversation is the current one until another is opened, by itself or for what is in it', () => {
  const said = chat([message('a', 1, { conversation: 'one' }), message('b', 2, { conversation: 'two' })])
  expect(currentConversation('d', said)).toBe('two')
  openConversationWith('d', said, 'a')
  expect(currentConversation('d', said)).toBe('one')
  openConversationWith('d', said, 'nothing')
  expect(currentConversation('d', said)).toBe('one')
  expect(currentConversation('another', said)).toBe('two')
  const runs = [run('of-a', 3, { kind: 'chat', id: 'a' }), run('of-b', 4, { kind: 'chat', id: 'b' })]
  const shown = (id: string) => isInCurrent('d', chat([...said.messages], runs), id)
  expect([shown('of-a'), shown('of-b'), shown('gone')]).toEqual([true, false, false])
  expect(currentConversation('empty', chat([]))).toBe(firstConversation)
})

test('[CHAT-2] beyond the 200 messages of the room, pages bring all conversations, until a page is not full', () => {
  const all = Array.from({ length: 450 }, (_, index) => message(`m${index}`, index, { conversation: `c${index}` }))
  const none = { messages: [], isAll: false }
  const atFirst = withEarlier(none, all.slice(250))
  expect([atFirst.messages.length, atFirst.hasEarlier]).toEqual([200, true])
  expect(withEarlier(none, all.slice(251)).hasEarlier).toBe(false)
  const second = withEarlier(addPage(all.slice(50, 250), atFirst.messages), all.slice(250))
  expect([second.messages.length, second.hasEarlier]).toEqual([400, true])
  // Meanwhile the room has dropped its first messages for new ones, and other messages have been edited there.
  const added = [message('m450', 450, { conversation: 'c450' }), message('m451', 451, { conversation: 'c0' })]
  const inRoom = [...all.slice(252), ...added].map((each) => ({ ...each, text: 'changed' }))
  const last = withEarlier(addPage(all.slice(0, 50), second.messages), inRoom)
  expect(last.messages.map(({ id }) => id)).toEqual([...all, ...added].map(({ id }) => id))
  expect(last.messages.slice(250, 254).map(({ text }) => text)).toEqual(['Say m250', 'Say m251', 'changed', 'changed'])
  expect(last.hasEarlier).toBe(false)
  const listed = readConversations(chat(last.messages)).map(({ id }) => id)
  expect(listed).toEqual(['c0', ...Array.from({ length: 450 }, (_, index) => `c${450 - index}`)])
})
