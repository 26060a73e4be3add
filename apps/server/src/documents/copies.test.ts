import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentSummary, Folder } from '@copydesk/protocol'
import { contentTypes, roomName, roomTypes, schema } from '@copydesk/schema'
import * as Y from 'yjs'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { copyContent } from './copied-content.ts'

let server: TestServer
let ana: AccountHolder
let ben: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts', QUOTAS: '{"imageMiBPerPerson": 1, "documentsPerPerson": 12}' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  ben = await signUp(server.url, await invite(ana), 'Ben')
})
afterAll(() => server.dispose())

async function create(content: object): Promise<string> {
  return (await ana.call<DocumentSummary>('POST', '/api/documents', content)).body.id
}

const copyOf = (by: AccountHolder, id: string, body?: object) =>
  by.call<DocumentSummary>('POST', `/api/documents/${id}/duplicate`, body)

async function textOf(by: AccountHolder, id: string): Promise<string> {
  const headers = { authorization: `Bearer ${by.token}` }
  return (await fetch(`${server.url}/api/documents/${id}/export`, { headers })).text()
}

async function upload(document: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([pixel, bytes]))
  const headers = { authorization: `Bearer ${ana.token}` }
  const response = await fetch(`${server.url}/api/documents/${document}/images`, {
    method: 'POST',
    headers,
    body: form,
  })
  return ((await response.json()) as { url: string }).url
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('[COPY-1] a copy has the text as it is now and its frontmatter, and is the caller’s own', async () => {
  const markdown = '---\ntag: x\n---\n\n# Plan\n\nSome *text*\n\n- [ ] task\n'
  const id = await create({ markdown })
  await ana.call('PUT', `/api/documents/${id}/members`, { members: [{ id: ben.user.id, role: 'viewer' }] })
  await ana.call('PATCH', `/api/documents/${id}`, { agentMode: 'ask', font: 'serif' })
  await ana.call('POST', `/api/documents/${id}/threads`, { quote: 'Some', text: 'A comment' })
  await ana.call('POST', `/api/documents/${id}/changes`, { quote: 'text', replaceWith: 'words' })
  const { status, body: copy } = await copyOf(ben, id)
  expect(status).toBe(201)
  expect(copy).toMatchObject({ title: 'Copy of Plan', role: 'owner', agentMode: 'ask', peopleCount: 1, folder: null })
  expect(copy).toMatchObject({
    owner: { name: 'Ben' },
    editedBy: { name: 'Ben' },
    preview: 'Plan Some text task',
  })
  expect(await textOf(ben, copy.id)).toBe(markdown)
  expect(server.load(roomName(copy.id)).getMap(roomTypes.settings).get('font')).toBe('serif')
  const stored = server.load(copy.id)
  expect(stored.getMap(contentTypes.meta).toJSON()).toMatchObject({ title: 'Copy of Plan' })
  const content = JSON.stringify(stored.getXmlFragment(contentTypes.fragment).toJSON())
  for (const mark of ['comment', 'insertion', 'deletion']) expect(content).not.toContain(mark)
  expect((await ana.call('GET', `/api/documents/${copy.id}`)).status).toBe(404)
  expect((await copyOf(ben, id, { title: 'Mine' })).body.title).toBe('Mine')
  expect((await copyOf(ben, await create({ markdown: 'hidden' }))).status).toBe(404)
})

test('[COPY-2] its images are stored for it, count for its owner, and outlive the original', async () => {
  const id = await create({ markdown: 'text' })
  const url = await upload(id, new Uint8Array(400_000))
  const editor = await server.join(ana.token, id)
  const image = new Y.XmlElement('image')
  image.setAttribute('src', url)
  editor.doc.getXmlFragment(contentTypes.fragment).insert(0, [image])
  await editor.saved()
  editor.close()
  const { body: copy } = await copyOf(ana, id)
  expect(await textOf(ana, copy.id)).toContain(`/api/documents/${copy.id}/images/`)
  const folders = () => readdirSync(join(server.directory, 'files')).toSorted()
  expect(folders()).toEqual([id, copy.id].toSorted())
  // A third image of 0.4 MiB exceeds Ana's quota.
  const refused = await copyOf(ana, id)
  expect([refused.status, refused.body.error.code]).toEqual([507, 'quota_exceeded'])
  expect(folders()).toEqual([id, copy.id].toSorted())
  await ana.call('DELETE', `/api/documents/${id}`)
  await ana.call('DELETE', `/api/documents/${id}?permanent=true`)
  const address = url.replace(id, copy.id)
  const headers = { authorization: `Bearer ${ana.token}` }
  expect((await fetch(server.url + address, { headers })).status).toBe(200)
})

test('[COPY-3] a copy goes to the same folder where the caller may write, as narrow as the original', async () => {
  const { body: folder } = await ana.call<Folder>('POST', '/api/folders', { name: 'Folder' })
  await ana.call('PUT', `/api/folders/${folder.id}/members`, { members: [{ id: ben.user.id, role: 'viewer' }] })
  const id = await create({ markdown: 'text', folder: folder.id })
  await ana.call('PUT', `/api/documents/${id}/sharing`, { inherits: 'viewer' })
  expect((await copyOf(ben, id)).body).toMatchObject({ folder: null, role: 'owner' })
  expect((await copyOf(ben, id, { folder: folder.id })).status).toBe(403)
  expect((await copyOf(ana, id)).body).toMatchObject({ folder: folder.id, inherits: 'viewer' })
  expect((await copyOf(ana, id, { folder: null })).body).toMatchObject({ folder: null })
  await ana.call('DELETE', `/api/folders/${folder.id}`)
  expect(await copyOf(ana, id)).toMatchObject({ status: 201, body: { folder: null } })
})

test('[QUOTA-11] copies count as documents', async () => {
  const id = await create({ markdown: 'text' })
  const statuses: number[] = []
  while (!statuses.includes(507) && statuses.length < 12) statuses.push((await copyOf(ana, id)).status)
  expect(statuses.at(-1)).toBe(507)
})

test('[COPY-1] mentions in a copy are drafts with requests of their own', () => {
  const mention = { id: 'agent', label: 'agent', kind: 'agent', requestId: 'r', state: 'sent' }
  const doc = schema.node('doc', null, [
    schema.node('paragraph', { threads: 't1 t2' }, [
      schema.text('Ask ', [schema.mark('comment', { threadId: 't1' }), schema.mark('bold')]),
      schema.node('mention', mention),
    ]),
  ])
  const { doc: copy, images } = copyContent(doc, 'from', 'to')
  const paragraph = copy.firstChild
  expect(paragraph?.attrs.threads).toBeNull()
  expect(paragraph?.firstChild?.marks.map(({ type }) => type.name)).toEqual(['bold'])
  const copied = paragraph?.lastChild?.attrs
  expect(copied).toMatchObject({ id: 'agent', state: 'draft' })
  expect(copied?.requestId).not.toBe('r')
  expect(images).toEqual([])
})
