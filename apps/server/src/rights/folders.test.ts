import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuditList,
  closeCodes,
  type DocumentList,
  type DocumentSummary,
  type Folder,
  type FolderList,
} from '@copydesk/protocol'
import type { MemberList, MoveEffect, NewShareLink, Role } from '@copydesk/protocol'
import { connectRaw, until } from '@copydesk/testing'
import { callApi } from '../testing/call-api.ts'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'

let server: TestServer
let ana: AccountHolder
let ben: AccountHolder
let cleo: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts', QUOTAS: '{"foldersPerPerson": 60}' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  ben = await signUp(server.url, await invite(ana), 'Ben')
  cleo = await signUp(server.url, await invite(ana), 'Cleo')
})
afterAll(() => server.dispose())

async function folder(by: AccountHolder, parent: string | null = null): Promise<string> {
  const { status, body } = await by.call<Folder>('POST', '/api/folders', { name: 'Folder', parent })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

async function document(by: AccountHolder, inside: string | null = null): Promise<string> {
  const content = { title: 'Document', markdown: 'text', folder: inside }
  const { status, body } = await by.call<DocumentSummary>('POST', '/api/documents', content)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

async function give(id: string, person: AccountHolder, role: Role | null, by = ana): Promise<number> {
  const body = { members: [{ id: person.user.id, role }] }
  return (await by.call('PUT', `/api/folders/${id}/members`, body)).status
}

async function roleOf(by: AccountHolder, id: string): Promise<Role | undefined> {
  return (await by.call<DocumentSummary>('GET', `/api/documents/${id}`)).body.role
}

const foldersOf = async (by: AccountHolder) => (await by.call<FolderList>('GET', '/api/folders')).body.folders
const folderOf = async (by: AccountHolder, id: string) => (await foldersOf(by)).find((each) => each.id === id)
const listOf = async (by: AccountHolder, query: string): Promise<string[]> =>
  (await by.call<DocumentList>('GET', `/api/documents?${query}`)).body.documents.map(({ id }) => id)

test('[RIGHT-23] a role in a folder is one in all that it holds, at any depth, also in lists, searches and mentions', async () => {
  const outer = await folder(ana)
  const inner = await folder(ana, await folder(ana, outer))
  const id = await document(ana, inner)
  expect(await roleOf(ben, id)).toBeUndefined()
  expect(await give(outer, ben, 'commenter')).toBe(200)
  expect(await roleOf(ben, id)).toBe('commenter')
  expect(await folderOf(ben, inner)).toMatchObject({ role: 'commenter', access: 'comment', shared: true })
  expect(await listOf(ben, `folder=${inner}`)).toEqual([id])
  expect(await listOf(ben, `folder=${outer}`)).toEqual([])
  expect(await listOf(ben, `folder=${outer}&query=text`)).toEqual([id])
  expect(await listOf(cleo, `folder=${inner}`)).toEqual([])
  const { body } = await ben.call<{ people: { id: string }[] }>('GET', `/api/documents/${id}/people`)
  expect(body.people.map((person) => person.id)).toContain(ben.user.id)
  const { body: members } = await ana.call<MemberList>('GET', `/api/documents/${id}/members`)
  expect(members.inherited.map(({ name, role, folder: by }) => [name, role, by])).toEqual([
    ['Ana', 'owner', inner],
    ['Ben', 'commenter', outer],
  ])
  // The higher of both counts.
  await ana.call('PUT', `/api/documents/${id}/members`, { members: [{ id: ben.user.id, role: 'editor' }] })
  expect(await roleOf(ben, id)).toBe('editor')
  await ana.call('PUT', `/api/documents/${id}/members`, { members: [{ id: ben.user.id, role: 'viewer' }] })
  expect(await roleOf(ben, id)).toBe('commenter')
})

test('[RIGHT-24] a folder or document takes over at most the roles that its owner says', async () => {
  const outer = await folder(ana)
  const inner = await folder(ana, outer)
  const id = await document(ana, inner)
  await give(outer, ben, 'editor')
  await give(inner, cleo, 'editor')
  const sharing = (inherits: string) => ana.call('PUT', `/api/documents/${id}/sharing`, { inherits })
  const limit = (inherits: string) => ana.call('PATCH', `/api/folders/${inner}`, { inherits })
  expect((await sharing('commenter')).body).toEqual({ editorsShare: true, inherits: 'commenter' })
  expect([await roleOf(ben, id), await roleOf(cleo, id)]).toEqual(['commenter', 'commenter'])
  await limit('viewer')
  expect([await roleOf(ben, id), await roleOf(cleo, id)]).toEqual(['viewer', 'commenter'])
  for (const patch of [{ font: 'serif' }, { title: 'New' }, { agentMode: 'ask' }])
    expect((await cleo.call('PATCH', `/api/documents/${id}`, patch)).status).toBe(403)
  await limit('none')
  expect([await roleOf(ben, id), await roleOf(cleo, id)]).toEqual([undefined, 'commenter'])
  expect(await folderOf(ben, inner)).toBeUndefined()
  expect(await folderOf(cleo, inner)).toMatchObject({ parent: null })
  await sharing('none')
  expect([await roleOf(ana, id), await roleOf(cleo, id)]).toEqual(['owner', undefined])
  expect(await listOf(cleo, `folder=${inner}`)).toEqual([])
  await limit('owner')
  await sharing('owner')
  expect([await roleOf(ben, id), await roleOf(cleo, id)]).toEqual(['editor', 'editor'])
})

test('[RIGHT-25] an item moves only with the right to both, and others’ access changes only when that is confirmed', async () => {
  const [shared, own] = [await folder(ana), await folder(ben)]
  const id = await document(ana)
  await give(shared, ben, 'editor')
  await ana.call('PUT', `/api/folders/${shared}/members`, { members: [{ email: 'dora@example.org', role: 'viewer' }] })
  const move = (by: AccountHolder, body: unknown) => by.call<DocumentSummary>('PATCH', `/api/documents/${id}`, body)
  expect((await move(ana, { folder: own })).status).toBe(404)
  const { body: effect } = await ana.call<MoveEffect>('GET', `/api/documents/${id}/move?to=${shared}`)
  expect(effect).toMatchObject({ count: 1, addresses: 1, people: [{ name: 'Ben', from: null, to: 'editor' }] })
  expect((await move(ana, { folder: shared })).body.error).toMatchObject({ code: 'conflict' })
  expect([await roleOf(ben, id), await listOf(ana, `folder=${shared}`)]).toEqual([undefined, []])
  expect((await move(ana, { folder: shared, confirm: true })).body).toMatchObject({ folder: shared })
  expect(await roleOf(ben, id)).toBe('editor')
  // An editor may not move it.
  expect((await move(ben, { folder: own, confirm: true })).status).toBe(403)
  expect((await move(ana, { folder: null })).status).toBe(409)
  await ana.call('PUT', `/api/documents/${id}/members`, { members: [{ id: ben.user.id, role: 'editor' }] })
  const left = await ana.call<MoveEffect>('GET', `/api/documents/${id}/move?to=none`)
  expect(left.body).toMatchObject({ count: 0, addresses: 1 })
  // No other person is concerned: no confirmation.
  expect((await move(ana, { folder: await folder(ana), confirm: true })).status).toBe(200)
  expect((await move(ana, { folder: await folder(ana) })).status).toBe(200)
  expect(await roleOf(ben, id)).toBe('editor')
  const inner = await folder(ana)
  const intoShared = { parent: shared }
  expect((await ana.call('PATCH', `/api/folders/${inner}`, intoShared)).status).toBe(409)
  expect((await ana.call('PATCH', `/api/folders/${inner}`, { ...intoShared, confirm: true })).status).toBe(200)
  expect(await folderOf(ben, inner)).toMatchObject({ parent: shared, role: 'editor' })
  expect((await ben.call('PATCH', `/api/folders/${inner}`, { name: 'Renamed' })).status).toBe(200)
  expect((await ben.call('PATCH', `/api/folders/${inner}`, { parent: null, confirm: true })).status).toBe(403)
})

test('[RIGHT-25] [RIGHT-4] a role that ends with a move, a narrowing or in a folder ends on open sockets within a second', async () => {
  const outer = await folder(ana)
  const inner = await folder(ana, outer)
  const id = await document(ana, inner)
  const endings = [
    () => ana.call('PATCH', `/api/documents/${id}`, { folder: null, confirm: true }),
    () => ana.call('PATCH', `/api/folders/${inner}`, { inherits: 'none' }),
    () => ana.call('PATCH', `/api/folders/${inner}`, { parent: null, inherits: 'owner', confirm: true }),
    () => ana.call('PUT', `/api/documents/${id}/sharing`, { inherits: 'none' }),
    () => give(outer, ben, null),
  ]
  for (const end of endings) {
    await ana.call('PUT', `/api/documents/${id}/sharing`, { inherits: 'owner' })
    await ana.call('PATCH', `/api/folders/${inner}`, { parent: outer, inherits: 'owner', confirm: true })
    await ana.call('PATCH', `/api/documents/${id}`, { folder: inner, confirm: true })
    await give(outer, ben, 'editor')
    const client = await connectRaw(server.url, id)
    await client.authenticate(ben.token)
    expect(client.received.denied).toEqual([])
    await end()
    await until(() => client.received.closed !== undefined, String(end))
    expect(client.received.closed?.code).toBe(closeCodes.revoked)
  }
})

test('[RIGHT-25] [AUDIT-2] who loses their own access by a move or a narrowing gets an empty answer, and it is recorded', async () => {
  const outer = await folder(ana)
  await give(outer, ben, 'owner')
  const [inner, id] = [await folder(ana, outer), await document(ana, outer)]
  const move = (body: object) => ben.call('PATCH', `/api/documents/${id}`, { folder: null, confirm: true, ...body })
  // Changes that the caller could not make after the move are refused with it.
  expect([(await move({ title: 'Mine' })).status, (await move({ starred: true })).status]).toEqual([409, 409])
  expect(await roleOf(ben, id)).toBe('owner')
  expect(await move({})).toMatchObject({ status: 200, body: {} })
  expect(await roleOf(ben, id)).toBeUndefined()
  const narrowed = await ben.call('PATCH', `/api/folders/${inner}`, { inherits: 'none' })
  expect([narrowed.status, narrowed.body]).toEqual([200, {}])
  expect(await folderOf(ben, inner)).toBeUndefined()
  const { body } = await ana.call<AuditList>('GET', `/api/audit?actor=${ben.user.id}`)
  const latest = body.entries
    .slice(0, 2)
    .map(({ action, document: on, target, details }) => [action, on ?? target, details])
  expect(latest).toEqual([
    ['folder-changed', inner, { inherits: 'none' }],
    ['document-moved', id, { folder: null }],
  ])
  expect(body.entries.filter(({ action, document: on }) => action === 'document-moved' && on === id)).toHaveLength(1)
})

test('[RIGHT-26] only owners share a folder, everyone may leave, and it keeps an owner', async () => {
  const id = await folder(ana)
  await give(id, ben, 'editor')
  expect(await give(id, cleo, 'viewer', ben)).toBe(403)
  expect(await give(id, ben, null, ben)).toBe(200)
  expect(await folderOf(ben, id)).toBeUndefined()
  expect(await give(id, ana, null)).toBe(409)
  expect(await give(id, cleo, 'owner')).toBe(200)
  expect(await give(id, ana, null, cleo)).toBe(200)
})

test('[RIGHT-22] [RIGHT-4] a folder is shared with addresses as a document is, and a role by one ends as quickly', async () => {
  const flo = await signUp(server.url, await invite(ana, 'flo@example.org'), 'Flo')
  const id = await folder(ben)
  const inside = await document(ben, await folder(ben, id))
  const put = async (role: Role | null) =>
    (await ben.call<MemberList>('PUT', `/api/folders/${id}/members`, { members: [{ email: flo.email, role }] })).body
  expect((await put('editor')).pending).toEqual([{ email: flo.email, role: 'editor' }])
  const client = await connectRaw(server.url, inside)
  await client.authenticate(flo.token)
  expect(client.received.denied).toEqual([])
  expect(await folderOf(flo, id)).toMatchObject({ role: 'editor' })
  await put(null)
  await until(() => client.received.closed !== undefined, 'the role has ended')
  // Ben knows Flo, who has opened a document in the folder.
  expect((await put('viewer')).members.map(({ name, role }) => [name, role])).toEqual([
    ['Ben', 'owner'],
    ['Flo', 'viewer'],
  ])
})

test('[RIGHT-27] guests by a link stay with their document, whatever folder it is in', async () => {
  const id = await document(ana, await folder(ana))
  const { body: link } = await ana.call<NewShareLink>('POST', `/api/documents/${id}/links`, { role: 'editor' })
  const path = `/api/links/${link.url.split('/').at(-1) ?? ''}`
  const opened = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name": "Guest"}',
  })
  const { token } = (await opened.json()) as { token: string }
  const call = async (route: string, method = 'GET', body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(server.url + route, init)
    return { status: response.status, body: (await response.json()) as DocumentList & DocumentSummary }
  }
  expect((await call('/api/folders')).status).toBe(403)
  expect((await call(`/api/documents/${id}`)).body).toMatchObject({ folder: null, role: 'editor' })
  expect((await call('/api/documents?folder=none')).body.documents).toHaveLength(1)
  expect((await call(`/api/documents/${id}`, 'PATCH', { starred: true })).body.starred).toBe(true)
  expect((await call(`/api/documents/${id}`, 'PATCH', { folder: null })).status).toBe(403)
  expect((await call(`/api/documents/${id}/duplicate`, 'POST', {})).status).toBe(403)
})

test('[FOLDER-1] folders nest ten levels deep, never in themselves, and their number has a quota', async () => {
  const chain = [await folder(cleo)]
  while (chain.length < 10) chain.push(await folder(cleo, chain.at(-1) ?? null))
  const [first = '', second = ''] = chain
  const deeper = await cleo.call('POST', '/api/folders', { name: 'Too deep', parent: chain.at(-1) })
  expect(deeper.body.error).toMatchObject({ code: 'conflict' })
  for (const parent of [first, chain.at(-1)])
    expect((await cleo.call('PATCH', `/api/folders/${first}`, { parent })).status).toBe(409)
  const other = await folder(cleo)
  expect((await cleo.call('PATCH', `/api/folders/${first}`, { parent: other })).status).toBe(409)
  expect((await cleo.call('PATCH', `/api/folders/${second}`, { parent: other })).status).toBe(200)
  const answers: number[] = []
  while (!answers.includes(507) && answers.length < 61)
    answers.push((await cleo.call('POST', '/api/folders', { name: 'One more' })).status)
  expect(answers.at(-1)).toBe(507)
})

test('[FOLDER-2] a folder goes to the trash with what the caller owns in it, comes back with it, and the rest leaves it', async () => {
  const outer = await folder(ana)
  const inner = await folder(ana, outer)
  await give(outer, ben, 'editor')
  const [own, deep, before] = [await document(ana, outer), await document(ana, inner), await document(ana, inner)]
  const bens = await document(ben, inner)
  const bensFolder = await folder(ben, outer)
  const inBens = await document(ben, bensFolder)
  await ben.call('PUT', `/api/documents/${bens}/sharing`, { inherits: 'viewer' })
  await ben.call('PATCH', `/api/folders/${bensFolder}`, { inherits: 'none' })
  await ana.call('DELETE', `/api/documents/${before}`)
  expect((await ana.call('DELETE', `/api/folders/${outer}`)).body).toEqual({ documents: 2 })
  expect(await folderOf(ana, inner)).toBeUndefined()
  const trashed = await listOf(ana, 'trash=true')
  expect([own, deep, before].every((id) => trashed.includes(id))).toBe(true)
  // People with access keep it in the trash.
  expect(await roleOf(ben, own)).toBe('editor')
  expect([await roleOf(ben, bens), await roleOf(ana, bens)]).toEqual(['owner', undefined])
  expect(await folderOf(ben, bensFolder)).toMatchObject({ parent: null })
  expect(await listOf(ben, `folder=${bensFolder}`)).toEqual([inBens])
  expect((await ana.call('POST', `/api/documents`, { folder: inner })).status).toBe(404)
  expect((await ana.call('POST', `/api/folders/${outer}/restore`)).body).toEqual({ documents: 2 })
  expect(await listOf(ana, `folder=${inner}`)).toEqual([deep])
  await ana.call('DELETE', `/api/folders/${outer}`)
  expect((await ana.call<DocumentSummary>('POST', `/api/documents/${deep}/restore`)).body.folder).toBe(inner)
  expect(await folderOf(ana, inner)).toMatchObject({ parent: outer })
  expect(await listOf(ana, `folder=${outer}`)).toEqual([])
})

test('[FOLDER-2] more than leaves at a time leaves all the same', async () => {
  const outer = await folder(ana)
  await give(outer, ben, 'editor')
  const bens: string[] = []
  while (bens.length <= 50) bens.push(await document(ben, outer))
  await changeFile(server.file, "UPDATE documents SET inherits = 'viewer' WHERE folder = ?", outer)
  const own = await document(ana, outer)
  expect((await ana.call('DELETE', `/api/folders/${outer}`)).body).toEqual({ documents: 1 })
  expect(await listOf(ana, 'trash=true')).toContain(own)
  const roles = await Promise.all(
    [ana, ben].map((person) => Promise.all([0, 50].map((at) => roleOf(person, bens[at] ?? '')))),
  )
  expect(roles).toEqual([
    [undefined, undefined],
    ['owner', 'owner'],
  ])
})

test('[AUDIT-2] what is done with folders is recorded, without names', async () => {
  const outer = await folder(ana)
  const id = await document(ana)
  await give(outer, ben, 'viewer')
  await ana.call('PATCH', `/api/folders/${outer}`, { name: 'A secret name', inherits: 'editor' })
  await ana.call('PATCH', `/api/documents/${id}`, { folder: outer, confirm: true })
  await ana.call('PATCH', `/api/documents/${id}`, { starred: true })
  await ana.call('DELETE', `/api/folders/${outer}`)
  await ana.call('POST', `/api/folders/${outer}/restore`)
  const { body } = await ana.call<AuditList>('GET', '/api/audit')
  const entries = body.entries.slice(0, 6).toReversed()
  expect(entries.map(({ action, document: on, target, details }) => [action, on ?? target, details])).toEqual([
    ['folder-made', outer, null],
    ['roles-changed', outer, { members: [{ id: ben.user.id, role: 'viewer' }] }],
    ['folder-changed', outer, { inherits: 'editor' }],
    ['document-moved', id, { folder: outer }],
    ['folder-trashed', outer, { documents: 1 }],
    ['folder-restored', outer, { documents: 1 }],
  ])
})

test('[RIGHT-23] without accounts everyone manages all folders, and a move asks for no confirmation', async () => {
  const open = await startTestServer()
  try {
    const [dora, emil] = [await open.signIn('Dora'), await open.signIn('Emil')]
    const call = async <T>(token: string, method: string, path: string, body?: unknown) =>
      callApi(open.url, token, '')<T>(method, path, body)
    const { body: made } = await call<Folder>(dora.token, 'POST', '/api/folders', { name: 'Folder' })
    const { id } = await open.create(dora, 'text')
    const moved = await call<DocumentSummary>(emil.token, 'PATCH', `/api/documents/${id}`, { folder: made.id })
    expect(moved.body).toMatchObject({ folder: made.id, role: 'editor', access: 'manage' })
    const { body: list } = await call<FolderList>(emil.token, 'GET', '/api/folders')
    expect(list.folders).toMatchObject([{ id: made.id, role: 'editor', access: 'manage', shared: true }])
    expect((await call(emil.token, 'DELETE', `/api/folders/${made.id}`)).body).toEqual({ documents: 1 })
    expect((await call(emil.token, 'DELETE', '/api/trash')).body).toEqual({ documents: 1 })
    expect((await call(dora.token, 'GET', `/api/documents/${id}`)).status).toBe(404)
  } finally {
    await open.dispose()
  }
})
