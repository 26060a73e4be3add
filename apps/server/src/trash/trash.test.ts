import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeCodes, type AuditList, type DocumentList, type DocumentSummary, type Folder } from '@copydesk/protocol'
import type { NewShareLink } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import { connectRaw, until } from '@copydesk/testing'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'

let server: TestServer
let operator: AccountHolder
let ana: AccountHolder
let ben: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts' })
  operator = await signUp(server.url, server.setUpToken, 'Operator')
  ana = await signUp(server.url, await invite(operator), 'Ana')
  ben = await signUp(server.url, await invite(operator), 'Ben')
})
afterAll(() => server.dispose())

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function create(by: AccountHolder, content: object = { markdown: 'text' }): Promise<string> {
  const { status, body } = await by.call<DocumentSummary>('POST', '/api/documents', content)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** Uploads an image; returns its address. `tail` makes it different from others. */
async function upload(by: AccountHolder, document: string, tail: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([pixel, tail]))
  const headers = { authorization: `Bearer ${by.token}` }
  const response = await fetch(`${server.url}/api/documents/${document}/images`, {
    method: 'POST',
    headers,
    body: form,
  })
  return ((await response.json()) as { url: string }).url
}

async function statusOf(by: AccountHolder, path: string): Promise<number> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${by.token}` } })
  await response.arrayBuffer()
  return response.status
}

/** Every table with a row that contains this text, except the audit log. */
function tablesWith(text: string): string[] {
  const tables = server.file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
  return tables.flatMap(({ name }) => {
    if (name === 'audit') return []
    const columns = server.file.prepare(`PRAGMA table_info("${name}")`).all() as { name: string }[]
    const where = columns.map((column) => `instr("${column.name}", ?) > 0`).join(' OR ')
    const found = server.file.prepare(`SELECT 1 FROM "${name}" WHERE ${where} LIMIT 1`).all(...columns.map(() => text))
    return found.length > 0 ? [name] : []
  })
}

const isGone = (id: string): Promise<void> => until(() => tablesWith(id).length === 0, `nothing is left of ${id}`)
const trashOf = async (by: AccountHolder): Promise<DocumentSummary[]> =>
  (await by.call<DocumentList>('GET', '/api/documents?trash=true')).body.documents

test('[TRASH-1] [TRASH-2] deleted for good, a document is gone at once for everyone, and then nothing of it is left', async () => {
  const id = await create(ana)
  const call = (method: string, path: string, body?: unknown) =>
    ana.call<{ id: string }>(method, `/api/documents/${id}${path}`, body)
  await call('PUT', '/members', {
    members: [
      { id: ben.user.id, role: 'editor' },
      { email: 'x@example.org', role: 'viewer' },
    ],
  })
  const { body: link } = await ana.call<NewShareLink>('POST', `/api/documents/${id}/links`, { role: 'editor' })
  await call('PATCH', '', { starred: true })
  await call('POST', '/versions', { name: 'Named' })
  const { body: thread } = await call('POST', '/threads', {
    quote: 'text',
    text: 'Look, @Ana',
    mentions: [ana.user.id],
  })
  await call('POST', `/threads/${thread.id}/comments`, { text: 'A reply' })
  await call('POST', '/changes', { quote: 'text', replaceWith: 'words' })
  await call('POST', '/messages', { text: 'replace "text" with "words"' })
  const url = await upload(ana, id, 'a')
  await until(async () => {
    const { body } = await ana.call<{ runs: { endedAt?: string }[] }>('GET', `/api/documents/${id}/runs`)
    return body.runs.some(({ endedAt }) => endedAt !== undefined)
  }, 'the run has ended')
  const clients = [await connectRaw(server.url, id), await connectRaw(server.url, roomName(id))]
  for (const client of clients) await client.authenticate(ben.token)
  const before = tablesWith(id)
  expect(before).toEqual(expect.arrayContaining(['runs', 'threads', 'changes', 'versions', 'links', 'images', 'stars']))

  expect((await call('DELETE', '?permanent=true')).status).toBe(409)
  await call('DELETE', '')
  expect((await ben.call('DELETE', `/api/documents/${id}?permanent=true`)).status).toBe(403)
  expect((await call('DELETE', '?permanent=true')).status).toBe(204)
  for (const path of ['', '/export', '/messages']) expect((await call('GET', path)).status).toBe(404)
  expect(await statusOf(ben, `/api/links/${link.url.split('/').at(-1) ?? ''}`)).toBe(404)
  expect((await call('DELETE', '?permanent=true')).status).toBe(404)
  expect((await trashOf(ana)).map((each) => each.id)).not.toContain(id)
  await until(() => clients.every(({ received }) => received.closed !== undefined), 'connections are closed')
  expect(clients.map(({ received }) => received.closed?.code)).toEqual([closeCodes.revoked, closeCodes.revoked])
  await isGone(id)
  expect(existsSync(join(server.directory, 'files', id))).toBe(false)
  expect(await statusOf(ana, url)).toBe(404)
  const { body: audit } = await operator.call<AuditList>('GET', `/api/audit?document=${id}`)
  const entries = audit.entries.map(({ action, actor }) => [action, actor?.id])
  expect(entries.slice(0, 2)).toEqual([
    ['document-deleted', ana.user.id],
    ['document-trashed', ana.user.id],
  ])
  expect(server.logged()).toBe('')
})

test('[TRASH-3] images that another document shows stay, at the address that its text has', async () => {
  const id = await create(ana)
  const [shown, other] = [await upload(ana, id, 'b'), await upload(ana, id, 'c')]
  const copy = await create(ben, { markdown: `![pasted](${shown})` })
  // Many other documents that Ben may not open also contain the image.
  const name = shown.split('/').at(-1) ?? ''
  for (let each = 0; each < 25; each++) {
    const hidden = await create(ana, { title: `${each}` })
    await changeFile(server.file, "INSERT INTO images VALUES (?, ?, 1, 'person:x', 0)", hidden, name)
  }
  await ana.call('DELETE', `/api/documents/${id}`)
  await ana.call('DELETE', `/api/documents/${id}?permanent=true`)
  await until(() => !existsSync(join(server.directory, 'files', id)), 'its files are gone')
  expect(await statusOf(ben, shown)).toBe(200)
  expect(await statusOf(ben, other)).toBe(404)
  expect(await statusOf(operator, shown)).toBe(404)
  expect(readdirSync(join(server.directory, 'files', copy))).toHaveLength(1)
})

test('[TRASH-4] operators delete what is in the trash, and nothing else', async () => {
  const id = await create(ana)
  const remove = () => operator.call('DELETE', `/api/documents/${id}?permanent=true`)
  expect((await remove()).status).toBe(404)
  await ana.call('DELETE', `/api/documents/${id}`)
  expect((await operator.call('DELETE', `/api/documents/${id}`)).status).toBe(404)
  expect((await remove()).status).toBe(204)
  await isGone(id)
})

test('[TRASH-5] emptying the trash deletes what the caller owns in it, also by a folder', async () => {
  const { body: folder } = await ana.call<Folder>('POST', '/api/folders', { name: 'Folder' })
  await ana.call('PUT', `/api/folders/${folder.id}/members`, { members: [{ id: ben.user.id, role: 'owner' }] })
  const [shared, mine, kept] = [
    await create(ana, { markdown: 'a', folder: folder.id }),
    await create(ben),
    await create(ben),
  ]
  const edited = await create(ana)
  await ana.call('PUT', `/api/documents/${edited}/members`, { members: [{ id: ben.user.id, role: 'editor' }] })
  for (const id of [shared, edited]) await ana.call('DELETE', `/api/documents/${id}`)
  await ben.call('DELETE', `/api/documents/${mine}`)
  expect(await trashOf(ben)).toHaveLength(3)
  expect((await ben.call('DELETE', '/api/trash')).body).toEqual({ documents: 2 })
  expect((await trashOf(ben)).map(({ id }) => id)).toEqual([edited])
  for (const id of [shared, mine]) await isGone(id)
  expect((await ben.call('GET', `/api/documents/${kept}`)).status).toBe(200)
})
