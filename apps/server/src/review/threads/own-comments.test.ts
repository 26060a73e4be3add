import { roomName, roomTypes } from '@copydesk/schema'
import type { AuditList, NotificationList, Run, Thread } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthenticatedActor, openRoleScene, type RoleScene } from '../../testing/role-scene.ts'
import type { TestEditor } from '../../testing/test-server.ts'

let scene: RoleScene
let room: TestEditor
let content: TestEditor

beforeAll(async () => {
  scene = await openRoleScene()
  room = await scene.server.join(scene.tokens.viewer, roomName(scene.document))
  content = await scene.server.join(scene.tokens.viewer, scene.document)
})
afterAll(() => scene.dispose())

async function start(actor: AuthenticatedActor, text: string): Promise<{ thread: string; comment: string }> {
  const { status, body } = await scene.as(actor)<Thread>('POST', '/threads', { quote: 'Some text', text })
  expect(status).toBe(201)
  return { thread: body.id, comment: body.comments[0]?.id ?? '' }
}

async function reply(actor: AuthenticatedActor, thread: string, text: string): Promise<string> {
  const { body } = await scene.as(actor)<Thread>('POST', `/threads/${thread}/comments`, { text })
  return body.comments.at(-1)?.id ?? ''
}

/** Asks the agent in a new thread; returns the thread with its answer. */
async function askAgent(): Promise<Thread> {
  const { thread } = await start('owner', '@agent how many words are there?')
  await until(() => shown(thread)?.comments.length === 2, 'the agent has answered')
  return shown(thread) as Thread
}

const shown = (thread: string): Thread | undefined =>
  (room.doc.getMap(roomTypes.threads).toJSON() as Record<string, Thread>)[thread]
const path = (thread: string, comment: string): string => `/threads/${thread}/comments/${comment}`
const reword = (actor: AuthenticatedActor, thread: string, comment: string, text: string) =>
  scene.as(actor)<Thread>('PATCH', path(thread, comment), { text })
const remove = (actor: AuthenticatedActor, thread: string, comment: string) =>
  scene.as(actor)('DELETE', path(thread, comment))

async function audited(): Promise<AuditList['entries']> {
  return (await scene.as('operator')<AuditList>('GET', '/api/audit')).body.entries
}

test('[REV-41] authors change the text of their comments, which shows to everyone as edited and is audited', async () => {
  const { thread, comment } = await start('commenter', 'Is thsi right?')
  const { status, body } = await reword('commenter', thread, comment, 'Is this right?')
  expect(status).toBe(200)
  expect(body.comments).toMatchObject([{ id: comment, text: 'Is this right?', editedAt: expect.any(String) }])
  await until(() => shown(thread)?.comments[0]?.text === 'Is this right?', 'the room shows it')
  expect((await scene.as('viewer')<{ threads: Thread[] }>('GET', '/threads')).body.threads).toContainEqual(body)
  expect(await audited()).toContainEqual(
    expect.objectContaining({
      action: 'comment-edited',
      target: comment,
      actor: expect.objectContaining({ id: scene.ids.commenter }),
    }),
  )
})

test('[REV-41] an unchanged text isn’t marked as edited', async () => {
  const { thread, comment } = await start('commenter', 'As it is')
  const { status, body } = await reword('commenter', thread, comment, 'As it is')
  expect(status).toBe(200)
  expect(body.comments[0]).not.toHaveProperty('editedAt')
})

test('[REV-41] nobody changes the text of others, whatever their role; the text has the limits of a new one', async () => {
  const { thread, comment } = await start('commenter', 'Mine')
  for (const actor of ['owner', 'editor', 'guest'] as const)
    expect(await reword(actor, thread, comment, 'Theirs')).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
  for (const text of ['', '  ', 'x'.repeat(20_001)])
    expect(await reword('commenter', thread, comment, text)).toMatchObject({ status: 400 })
  expect(shown(thread)?.comments[0]?.text).toBe('Mine')
})

test('[REV-41] a changed text notifies those whom it mentions for the first time, and starts no run', async () => {
  const { thread, comment } = await start('commenter', 'Look at this')
  const mentions = [scene.ids.editor]
  const notified = async (actor: AuthenticatedActor) =>
    (await scene.as(actor)<NotificationList>('GET', '/api/notifications')).body.notifications.filter(
      ({ place }) => place.kind === 'comment' && place.id === comment,
    )
  await scene.as('editor')('GET', '')
  const change = (text: string) => scene.as('commenter')<Thread>('PATCH', path(thread, comment), { text, mentions })
  expect((await change('@editor @agent look at this')).status).toBe(200)
  await until(async () => (await notified('editor')).length === 1, 'the editor is notified')
  expect((await change('@editor look at that')).status).toBe(200)
  expect(await notified('editor')).toMatchObject([{ excerpt: '@editor look at that' }])
  const { body } = await scene.as('commenter')<{ runs: Run[] }>('GET', '/runs')
  expect(body.runs).toEqual([])
  expect((await remove('commenter', thread, comment)).status).toBe(204)
  expect(await notified('editor')).toEqual([])
})

test('[REV-42] people delete their own comments, editors also the agent’s, owners any; a reply keeps its place', async () => {
  const { thread, comment } = await start('commenter', 'First')
  const second = await reply('editor', thread, 'Second')
  for (const actor of ['commenter', 'guest'] as const) expect((await remove(actor, thread, second)).status).toBe(403)
  expect((await remove('editor', thread, comment)).status).toBe(403)
  expect((await remove('commenter', thread, comment)).status).toBe(204)
  const third = await reply('guest', thread, 'Third')
  await until(() => shown(thread)?.comments.at(-1)?.id === third, 'the room shows the reply')
  expect(shown(thread)?.comments.map(({ text }) => text)).toEqual(['Second', 'Third'])
  expect((await remove('owner', thread, third)).status).toBe(204)
  expect(await audited()).toContainEqual(expect.objectContaining({ action: 'comment-deleted', target: third }))
  const asked = await askAgent()
  const answer = asked.comments[1]?.id ?? ''
  expect((await remove('commenter', asked.id, answer)).status).toBe(403)
  expect((await remove('editor', asked.id, answer)).status).toBe(204)
})

test('[REV-42] with its last comment a thread is deleted with its marks in the text', async () => {
  const marks = () => JSON.stringify(content.doc.getXmlFragment('default').toJSON())
  const { thread, comment } = await start('guest', 'Alone')
  await until(() => marks().includes(thread), 'the text is marked')
  expect((await remove('guest', thread, comment)).status).toBe(204)
  await until(() => shown(thread) === undefined && !marks().includes(thread), 'thread and marks are gone')
  const { body } = await scene.as('owner')<{ threads: Thread[] }>('GET', '/threads')
  expect(body.threads.map(({ id }) => id)).not.toContain(thread)
  expect((await remove('guest', thread, comment)).status).toBe(404)
  expect((await reword('guest', thread, comment, 'Again')).status).toBe(404)
})

test('[REV-43] people react to comments once with an emoji; everyone sees who, and no other emoji is taken', async () => {
  const { thread, comment } = await start('commenter', 'Done?')
  const react = (actor: AuthenticatedActor, emoji: string, method = 'PUT') =>
    scene.as(actor)<Thread>(method, `${path(thread, comment)}/reactions/${encodeURIComponent(emoji)}`)
  for (const [actor, emoji] of [
    ['owner', '🎉'],
    ['guest', '👍'],
    ['owner', '👍'],
    ['owner', '👍'],
  ] as const)
    expect((await react(actor, emoji)).status).toBe(200)
  const [owner, guest] = [scene.ids.owner, scene.ids.guest].map((id) => expect.objectContaining({ id }))
  const both = [
    { emoji: '🎉', people: [owner] },
    { emoji: '👍', people: [guest, owner] },
  ]
  await until(() => shown(thread)?.comments[0]?.reactions?.[1]?.people.length === 2, 'the room shows them')
  expect(shown(thread)?.comments[0]?.reactions).toEqual(both)
  expect((await react('owner', '🎉', 'DELETE')).body.comments[0]?.reactions).toEqual(both.slice(1))
  expect(await react('viewer', '👍')).toMatchObject({ status: 403 })
  for (const emoji of ['💣', 'x', '<b>']) expect((await react('owner', emoji)).status).toBe(400)
})
