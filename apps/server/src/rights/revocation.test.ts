import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeCodes, type NewShareLink, writeAccessMessage } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import * as Y from 'yjs'
import { connectRaw, type RawDocument, until } from '@copydesk/testing'
import { firstText } from '../testing/test-server.ts'
import { type AuthenticatedActor, linkPath, openRoleScene, type RoleScene } from '../testing/role-scene.ts'
import { changeFile } from '../testing/test-store.ts'

let scene: RoleScene

beforeAll(async () => {
  scene = await openRoleScene()
})
afterAll(() => scene.dispose())

// The limit that the rule states.
const withinMs = 1000

async function enter(name: string, actor: AuthenticatedActor): Promise<RawDocument> {
  const client = await connectRaw(scene.server.url, name)
  await client.authenticate(scene.tokens[actor])
  expect(client.received.denied).toEqual([])
  return client
}

const soon = (what: string, condition: () => boolean): Promise<void> => until(condition, what, withinMs)

/** Sends an edit and returns whether it was accepted. */
async function edit(client: RawDocument): Promise<boolean> {
  const doc = scene.server.load(scene.document)
  const before = Y.encodeStateVector(doc)
  firstText(doc).insert(0, '.')
  const rows = scene.server.rows(scene.document).length
  client.sendUpdate(Y.encodeStateAsUpdate(doc, before))
  await client.sync()
  return scene.server.rows(scene.document).length > rows
}

test('[RIGHT-4] a raised or lowered right is sent to the open socket and counts there at once', async () => {
  await scene.give('revoked', 'viewer')
  const client = await enter(scene.document, 'revoked')
  expect(await edit(client)).toBe(false)
  await scene.give('revoked', 'editor')
  await soon('raised', () => client.received.stateless.includes(writeAccessMessage('write')))
  expect(await edit(client)).toBe(true)
  await scene.give('revoked', 'commenter')
  await soon('lowered', () => client.received.stateless.includes(writeAccessMessage('comment')))
  expect(await edit(client)).toBe(false)
  expect(client.received.closed).toBeUndefined()
  client.close()
})

test('[RIGHT-4] what is held for a gap goes with the right to write, and does not come back with it', async () => {
  await scene.give('revoked', 'editor')
  const client = await enter(scene.document, 'revoked')
  const doc = scene.server.load(scene.document)
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => void updates.push(update))
  for (const word of ['first ', 'held ']) firstText(doc).insert(0, word)
  client.sendUpdate(updates[1]!)
  await until(() => client.received.asked > 0, 'the server asks for what is missing')
  await scene.give('revoked', 'viewer')
  await soon('lowered', () => client.received.stateless.includes(writeAccessMessage('read')))
  await scene.give('revoked', 'editor')
  await soon('raised', () => client.received.stateless.includes(writeAccessMessage('write')))
  client.sendUpdate(updates[0]!)
  await client.acknowledged(1)
  await client.sync()
  expect(client.received.acknowledged).toBe(1)
  const text = firstText(scene.server.load(scene.document)).toJSON()
  expect([text.includes('first '), text.includes('held ')]).toEqual([true, false])
  client.close()
})

test('[RIGHT-4] a person who loses access is disconnected within a second, from content and room, with sent edits acknowledged', async () => {
  await scene.give('revoked', 'editor')
  const [content, room] = [await enter(scene.document, 'revoked'), await enter(roomName(scene.document), 'revoked')]
  const doc = scene.server.load(scene.document)
  const before = Y.encodeStateVector(doc)
  firstText(doc).insert(0, 'last words ')
  content.sendUpdate(Y.encodeStateAsUpdate(doc, before))
  await content.roundTrip()
  await scene.give('revoked', null)
  await soon('revoked', () => content.received.closed !== undefined && room.received.closed !== undefined)
  expect([content.received.closed?.code, room.received.closed?.code]).toEqual([closeCodes.revoked, closeCodes.revoked])
  expect(content.received.acknowledged).toBe(1)
  expect(firstText(scene.server.load(scene.document)).toJSON()).toContain('last words')
  // Other users' connections stay open.
  const other = await enter(scene.document, 'editor')
  expect(other.received.closed).toBeUndefined()
  other.close()
})

async function letExpire(link: string): Promise<void> {
  const at = Date.now() + 100
  await changeFile(scene.server.file, 'UPDATE links SET expires_at = ? WHERE id = ?', at, link)
  // Any change of a right makes the server compute the next expiry again.
  await scene.give('revoked', null)
  await until(() => Date.now() >= at, 'it is time')
}

test('[RIGHT-5] revoking a link, and its expiry, act on those who came by it', async () => {
  const asOwner = scene.as('owner')
  for (const ending of ['revoked', 'expired'] as const) {
    const expiresAt = new Date(Date.now() + 60 * 60_000).toISOString()
    const { body: link } = await asOwner<NewShareLink>('POST', '/links', { role: 'editor', expiresAt })
    expect((await scene.as('stranger')('POST', linkPath(link.url))).status).toBe(200)
    const client = await enter(scene.document, 'stranger')
    expect(await edit(client)).toBe(true)
    if (ending === 'revoked') expect((await asOwner('DELETE', `/links/${link.id}`)).status).toBe(204)
    else await letExpire(link.id)
    await soon(`link ${ending}`, () => client.received.closed !== undefined)
    expect(client.received.closed?.code).toBe(closeCodes.revoked)
    expect((await scene.as('stranger')('GET', '')).status).toBe(404)
    expect((await scene.as('stranger')('POST', linkPath(link.url))).status).toBe(404)
  }
})

test('[RIGHT-6] a stream of events ends within a second, also when nothing happens', async () => {
  await scene.give('revoked', 'viewer')
  const response = await fetch(`${scene.server.url}/api/documents/${scene.document}/events`, {
    headers: { authorization: `Bearer ${scene.tokens.revoked}` },
  })
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('listening')
  let isOver = false
  const reading = (async () => {
    while (!(await reader?.read())?.done);
    isOver = true
  })()
  await scene.give('revoked', null)
  await soon('events', () => isOver)
  await reading
})
