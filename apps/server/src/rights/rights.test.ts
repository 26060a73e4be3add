import { afterAll, beforeAll, expect, test } from 'vitest'
import { roomName, roomTypes } from '@copydesk/schema'
import type {
  AuditList,
  DocumentList,
  DocumentSummary,
  Folder,
  MemberList,
  NewShareLink,
  OwnerlessList,
  NotificationList,
  Role,
  ShareLink,
} from '@copydesk/protocol'
import { callApi } from '../testing/call-api.ts'
import { type AuthenticatedActor, linkPath, openRoleScene, type RoleScene } from '../testing/role-scene.ts'
import { invite, signUp, testPassword } from '../testing/test-accounts.ts'
import { changeFile } from '../testing/test-store.ts'

let scene: RoleScene

beforeAll(async () => {
  scene = await openRoleScene()
})
afterAll(() => scene.dispose())

async function roleOf(actor: AuthenticatedActor): Promise<Role | undefined> {
  const { status, body } = await scene.as(actor)<DocumentSummary>('GET', '')
  return status === 200 ? body.role : undefined
}

async function put(by: AuthenticatedActor, members: unknown): Promise<string> {
  const { status, body } = await scene.as(by)('PUT', '/members', { members })
  return status === 200 ? 'ok' : body.error.code
}

async function membersOf(): Promise<MemberList> {
  return (await scene.as('owner')<MemberList>('GET', '/members')).body
}

test('[RIGHT-1] a role is the highest of membership and of the links that hold', async () => {
  const { body: link } = await scene.as('owner')<NewShareLink>('POST', '/links', { role: 'editor' })
  expect(await roleOf('viewer')).toBe('viewer')
  await scene.as('viewer')('POST', linkPath(link.url))
  expect(await roleOf('viewer')).toBe('editor')
  const listed = (await membersOf()).members.find(({ id }) => id === scene.ids.viewer)
  expect(listed).toMatchObject({ role: 'editor', links: [link.id] })
  await scene.as('owner')('DELETE', `/links/${link.id}`)
  expect(await roleOf('viewer')).toBe('viewer')
})

test('[RIGHT-12] a document that is not shared with a person is in none of their lists, searches, notifications or suggestions', async () => {
  await scene.as('owner')('PATCH', '', { title: 'Hidden treasure' })
  const find = async (actor: AuthenticatedActor, query: string) =>
    (await scene.as(actor)<DocumentList>('GET', `/api/documents?query=${query}`)).body.documents.map(({ id }) => id)
  for (const query of ['', 'treasure', 'stranger']) {
    expect(await find('viewer', query)).toEqual([scene.document])
    for (const actor of ['stranger', 'operator', 'expired', 'revoked'] as const)
      expect(await find(actor, query)).toEqual([])
  }
  // A member is mentioned, then removed.
  await scene.give('revoked', 'commenter')
  await scene.as('revoked')('GET', '')
  const mention = { quote: 'text', text: 'Look, @revoked', mentions: [scene.ids.revoked] }
  expect((await scene.as('owner')('POST', '/threads', mention)).status).toBe(201)
  const told = async () => (await scene.as('revoked')<NotificationList>('GET', '/api/notifications')).body
  expect((await told()).unread).toBe(1)
  const people = async () =>
    (await scene.as('owner')<{ people: { id: string }[] }>('GET', '/people')).body.people.map(({ id }) => id)
  expect(await people()).toContain(scene.ids.revoked)
  await scene.give('revoked', null)
  expect(await told()).toMatchObject({ notifications: [], unread: 0 })
  expect(await people()).not.toContain(scene.ids.revoked)
})

test('[RIGHT-13] editors give and never take, nobody but owners makes owners, and everybody may leave', async () => {
  const { owner, editor, commenter, viewer, stranger } = scene.ids
  expect(await put('editor', [{ id: stranger, role: 'commenter' }])).toBe('ok')
  expect(await put('editor', [{ id: stranger, role: 'editor' }])).toBe('ok')
  expect(await put('editor', [{ id: stranger, role: 'viewer' }])).toBe('forbidden')
  expect(await put('editor', [{ id: stranger, role: null }])).toBe('forbidden')
  expect(await put('editor', [{ id: stranger, role: 'owner' }])).toBe('forbidden')
  expect(await put('editor', [{ id: owner, role: 'editor' }])).toBe('forbidden')
  expect(await put('commenter', [{ id: viewer, role: 'commenter' }])).toBe('forbidden')
  expect(await put('viewer', [{ id: viewer, role: 'editor' }])).toBe('forbidden')
  // Atomic: no role changes.
  const both = [
    { id: commenter, role: 'editor' },
    { id: editor, role: 'owner' },
  ]
  expect(await put('editor', both)).toBe('forbidden')
  expect(await roleOf('commenter')).toBe('commenter')
  expect(await put('stranger', [{ id: stranger, role: null }])).toBe('ok')
  expect(await roleOf('stranger')).toBeUndefined()
})

test('[RIGHT-21] a document waits for a thousand addresses at most, and what would be one more changes nothing', async () => {
  const { body } = await scene.as('owner')<DocumentSummary>('POST', '/api/documents', {})
  const path = `/api/documents/${body.id}/members`
  const share = async (from: number, count: number) => {
    const members = Array.from({ length: count }, (_, index) => ({ email: `p${from + index}@x.org`, role: 'viewer' }))
    return (await scene.as('owner')('PUT', path, { members })).status
  }
  for (let from = 0; from < 1000; from += 100) expect(await share(from, 100)).toBe(200)
  expect(await share(1000, 2)).toBe(409)
  // A pending address may still get another role.
  expect(await share(0, 1)).toBe(200)
  expect((await scene.as('owner')<MemberList>('GET', path)).body.pending).toHaveLength(1000)
})

test('[RIGHT-13] of two owners who take each other out at once the second is no owner any more', async () => {
  const { body } = await scene.as('owner')<DocumentSummary>('POST', '/api/documents', {})
  const path = `/api/documents/${body.id}/members`
  const { owner, editor, viewer } = scene.ids
  const others = [editor, viewer].map((id) => ({ id, role: 'owner' }))
  expect((await scene.as('owner')('PUT', path, { members: others })).status).toBe(200)
  const answers = await Promise.all([
    scene.as('editor')('PUT', path, { members: [{ id: viewer, role: null }] }),
    scene.as('viewer')('PUT', path, { members: [{ id: editor, role: null }] }),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { members } = (await scene.as('owner')<MemberList>('GET', path)).body
  expect(members).toHaveLength(2)
  expect(members.map(({ id }) => id)).toContain(owner)
})

test('[RIGHT-14] a document always has an owner', async () => {
  const { owner, editor } = scene.ids
  expect(await put('owner', [{ id: owner, role: null }])).toBe('conflict')
  expect(await put('owner', [{ id: owner, role: 'editor' }])).toBe('conflict')
  const handOver = [
    { id: editor, role: 'owner' },
    { id: owner, role: 'viewer' },
  ]
  expect(await put('owner', handOver)).toBe('ok')
  expect([await roleOf('owner'), await roleOf('editor')]).toEqual(['viewer', 'owner'])
  expect(await put('editor', [{ id: owner, role: 'owner' }])).toBe('ok')
  expect(await put('owner', [{ id: editor, role: 'editor' }])).toBe('ok')
})

test('[RIGHT-15] an address without an account is kept, and has its role with the account', async () => {
  const { url } = scene.server
  expect(await put('owner', [{ email: 'New@Example.org', role: 'commenter' }])).toBe('ok')
  expect((await membersOf()).pending).toEqual([{ email: 'new@example.org', role: 'commenter' }])
  const token = await invite({ call: callApi(url, scene.tokens.operator, '') }, 'new@example.org')
  const session = await signUp(url, token, 'New')
  const asNew = callApi(url, session.token, scene.document)
  expect((await asNew<DocumentSummary>('GET', '')).body.role).toBe('commenter')
  const { body: list } = await asNew<DocumentList>('GET', '/api/documents')
  expect(list.documents).toMatchObject([{ id: scene.document, role: 'commenter' }])
  const { members, pending } = await membersOf()
  expect(pending).toEqual([])
  expect(members.find(({ id }) => id === session.user.id)).toMatchObject({
    role: 'commenter',
    email: 'new@example.org',
  })
  // From now on a normal member.
  expect(await put('owner', [{ id: session.user.id, role: 'viewer' }])).toBe('ok')
  expect((await asNew<DocumentSummary>('GET', '')).body.role).toBe('viewer')
  expect(await put('owner', [{ id: session.user.id, role: null }])).toBe('ok')
  expect((await asNew('GET', '')).status).toBe(404)
})

test('[RIGHT-15] [ACC-20] an unconfirmed address gives access to nothing that is shared with it, before or later', async () => {
  const { url } = scene.server
  const asOperator = callApi(url, scene.tokens.operator, '')
  expect(await put('owner', [{ email: 'boss@example.org', role: 'editor' }])).toBe('ok')
  // Claimed by an open invitation, and by changing one's own address.
  const mallory = await signUp(url, await invite({ call: asOperator }), 'Boss')
  const eve = await signUp(url, await invite({ call: asOperator }, 'eve@example.org'), 'Eve')
  const move = { email: 'chief@example.org', password: testPassword }
  expect((await eve.call('PATCH', '/api/auth/account', move)).status).toBe(200)
  expect(await put('owner', [{ email: 'chief@example.org', role: 'viewer' }])).toBe('ok')
  for (const somebody of [mallory, eve]) {
    expect((await somebody.call('GET', `/api/documents/${scene.document}`)).status).toBe(404)
    expect((await somebody.call<DocumentList>('GET', '/api/documents')).body.documents).toEqual([])
  }
  const { body: notified } = await scene.as('owner')<{ people: { id: string }[] }>('GET', '/people')
  expect(notified.people.map(({ id }) => id)).not.toContain(mallory.user.id)
  // Entering an address does not reveal who claims it.
  expect((await membersOf()).pending).toEqual([
    { email: 'boss@example.org', role: 'editor' },
    { email: 'chief@example.org', role: 'viewer' },
  ])
  // A person known by id can be added.
  expect(await put('editor', [{ id: eve.user.id, role: 'viewer' }])).toBe('ok')
  expect((await eve.call('GET', `/api/documents/${scene.document}`)).status).toBe(200)
  // The list of members shows which addresses are unconfirmed.
  const marks = async () =>
    Object.fromEntries((await membersOf()).members.map(({ email, emailConfirmed }) => [email, emailConfirmed]))
  expect(await marks()).toMatchObject({ 'chief@example.org': false, 'editor@example.org': true })
  expect((await eve.call('GET', `/api/documents/${scene.document}/members`)).status).toBe(403)
  const guests = (await membersOf()).members.filter(({ guest }) => guest)
  for (const guest of guests) expect(guest).not.toHaveProperty('emailConfirmed')
  const found = await scene.as('owner')<{ people: unknown[] }>('GET', '/api/people?query=chief')
  expect(found.body.people).toEqual([])
  // An operator can confirm the current address of a person.
  const path = `/api/auth/people/${mallory.user.id}`
  expect((await asOperator('PATCH', path, { confirmedEmail: 'other@example.org' })).status).toBe(409)
  expect((await asOperator('PATCH', path, { confirmedEmail: 'boss@example.org' })).body).toMatchObject({
    confirmed: true,
  })
  expect((await mallory.call<DocumentSummary>('GET', `/api/documents/${scene.document}`)).body.role).toBe('editor')
  for (const email of ['boss@example.org', 'chief@example.org']) await put('owner', [{ email, role: null }])
  await put('owner', [{ id: eve.user.id, role: null }])
  expect((await membersOf()).pending).toEqual([])
})

test('[RIGHT-16] a guest has what the link gives and nothing else', async () => {
  expect(await roleOf('guest')).toBe('commenter')
  expect(await put('owner', [{ id: scene.ids.guest, role: 'editor' }])).toBe('invalid_input')
  const { body: me } = await scene.as('guest')<{ guest?: boolean }>('GET', '/api/me')
  expect(me.guest).toBe(true)
  expect((await membersOf()).members.find(({ id }) => id === scene.ids.guest)).toMatchObject({ guest: true })
  // Removing a guest deletes the visit; the link itself stays valid.
  expect(await put('owner', [{ id: scene.ids.guest, role: null }])).toBe('ok')
  expect(await roleOf('guest')).toBeUndefined()
})

test('[RIGHT-17] a link’s token isn’t stored, and who may share sees it again; its creator revokes it, owners revoke all', async () => {
  const { body: made } = await scene.as('editor')<NewShareLink>('POST', '/links', { role: 'viewer' })
  const token = made.url.split('/').at(-1) ?? ''
  expect(token.length).toBeGreaterThanOrEqual(43)
  const listed = async (actor: AuthenticatedActor) =>
    (await scene.as(actor)<{ links: ShareLink[] }>('GET', '/links')).body.links.find(({ id }) => id === made.id)
  expect(await listed('owner')).toMatchObject({ url: made.url, visits: 0, visitors: [] })
  await scene.as('viewer')('POST', linkPath(made.url))
  expect(await listed('editor')).toMatchObject({ url: made.url, visits: 1, visitors: [{ id: scene.ids.viewer }] })
  await changeFile(scene.server.file, 'UPDATE links SET token_hash = ? WHERE id = ?', 'of another secret', made.id)
  expect(await listed('owner')).not.toHaveProperty('url')
  expect(JSON.stringify(scene.server.file.prepare('SELECT * FROM links').all())).not.toContain(token)
  const { body: owners } = await scene.as('owner')<NewShareLink>('POST', '/links', { role: 'viewer' })
  expect((await scene.as('editor')('DELETE', `/links/${owners.id}`)).status).toBe(403)
  expect((await scene.as('owner')('DELETE', `/links/${made.id}`)).status).toBe(204)
  expect((await scene.as('owner')('DELETE', `/links/${made.id}`)).status).toBe(404)
  const past = { role: 'viewer', expiresAt: new Date(0).toISOString() }
  expect((await scene.as('owner')('POST', '/links', past)).status).toBe(400)
  expect((await scene.as('owner')('POST', '/links', { role: 'owner' })).status).toBe(400)
})

test('[RIGHT-20] owners keep sharing to themselves: editors give and make nothing, but leave, and take back their own links', async () => {
  const share = async (actor: AuthenticatedActor, editorsShare: boolean) =>
    (await scene.as(actor)('PUT', '/sharing', { editorsShare })).status
  const { stranger, editor, viewer } = scene.ids
  const { body: link } = await scene.as('editor')<NewShareLink>('POST', '/links', { role: 'viewer' })
  expect(await share('editor', false)).toBe(403)
  expect(await share('owner', false)).toBe(200)
  expect((await scene.as('editor')<DocumentSummary>('GET', '')).body).toMatchObject({
    access: 'write',
    editorsShare: false,
  })
  expect(await put('editor', [{ id: stranger, role: 'viewer' }])).toBe('forbidden')
  expect(await put('editor', [{ id: viewer, role: 'commenter' }])).toBe('forbidden')
  expect(await put('editor', [{ email: 'waits@example.org', role: 'viewer' }])).toBe('forbidden')
  const refused = await scene.as('editor')('POST', '/links', { role: 'viewer' })
  expect([refused.status, refused.body.error.message]).toEqual([403, 'Only owners can share this document.'])
  expect((await scene.as('editor')('GET', '/members')).status).toBe(200)
  const { body: links } = await scene.as('editor')<{ links: ShareLink[] }>('GET', '/links')
  expect(links.links.map(({ id, url }) => [id, url])).toContainEqual([link.id, undefined])
  expect((await scene.as('editor')('DELETE', `/links/${link.id}`)).status).toBe(204)
  expect(await put('editor', [{ id: editor, role: null }])).toBe('ok')
  expect(await put('owner', [{ id: editor, role: 'editor' }])).toBe('ok')
  // Open windows read the setting from the room.
  const settings = scene.server.load(roomName(scene.document)).getMap(roomTypes.settings)
  expect(settings.get('editorsShare')).toBe(false)
  const { body: log } = await scene.as('operator')<AuditList>('GET', '/api/audit?action=sharing-changed')
  expect(log.entries).toMatchObject([{ document: scene.document, details: { editorsShare: false } }])
  expect(await share('owner', true)).toBe(200)
  expect(await put('editor', [{ id: stranger, role: 'viewer' }])).toBe('ok')
  await scene.give('stranger', null)
})

test('[RIGHT-18] one finds people whom one shares a document with, and no others', async () => {
  const find = async (actor: AuthenticatedActor, query: string) =>
    (await scene.as(actor)<{ people: { name: string }[] }>('GET', `/api/people?query=${query}`)).body.people
  expect(await find('editor', 'OWN')).toMatchObject([{ name: 'owner', email: 'owner@example.org' }])
  expect(await find('editor', 'operator')).toEqual([])
  expect(await find('stranger', '')).toEqual([])
})

test('[RIGHT-19] the operator takes over what nobody owns who could sign in, and nothing else', async () => {
  const { file } = scene.server
  const asOperator = scene.as('operator')
  expect((await asOperator('POST', `/api/ownerless/${scene.document}`)).status).toBe(404)
  const { body: left } = await scene.as('stranger')<DocumentSummary>('POST', '/api/documents', { title: 'Left' })
  // A person as on a server without accounts.
  await changeFile(file, "INSERT INTO people (id, name, color, created_at) VALUES ('old', 'Old', '#57534e', 0)")
  await changeFile(file, "UPDATE members SET person = 'old' WHERE item = ?", left.id)
  expect((await asOperator('GET', `/api/documents/${left.id}`)).status).toBe(404)
  expect((await asOperator('GET', '/api/ownerless')).body).toMatchObject({
    documents: [{ id: left.id, title: 'Left', trashed: false, owners: [{ id: 'old', name: 'Old', closed: false }] }],
  })
  expect((await asOperator('POST', `/api/ownerless/${left.id}`)).status).toBe(204)
  expect((await asOperator<DocumentSummary>('GET', `/api/documents/${left.id}`)).body.role).toBe('owner')
})

test('[RIGHT-19] a document of a closed account is handed over to a person who can sign in, once', async () => {
  const { url } = scene.server
  const asOperator = scene.as('operator')
  const gone = await signUp(url, await invite({ call: callApi(url, scene.tokens.operator, '') }), 'Gone')
  const { body: left } = await gone.call<DocumentSummary>('POST', '/api/documents', { title: 'Orphan' })
  await asOperator('PATCH', `/api/auth/people/${gone.user.id}`, { active: false })
  expect((await asOperator('GET', '/api/ownerless')).body).toMatchObject({
    documents: [{ id: left.id, owners: [{ id: gone.user.id, name: 'Gone', closed: true }] }],
  })
  const handOver = (person: string) => asOperator('POST', `/api/ownerless/${left.id}`, { person })
  for (const nobody of [gone.user.id, scene.ids.guest, 'nobody']) expect((await handOver(nobody)).status).toBe(404)
  expect((await handOver(scene.ids.stranger)).status).toBe(204)
  expect((await handOver(scene.ids.viewer)).status).toBe(404)
  expect((await scene.as('stranger')<DocumentSummary>('GET', `/api/documents/${left.id}`)).body.role).toBe('owner')
  // The operator who assigned the owner has no access.
  expect((await asOperator('GET', `/api/documents/${left.id}`)).status).toBe(404)
  const { body: log } = await asOperator<AuditList>('GET', `/api/audit?document=${left.id}&action=document-taken`)
  expect(log.entries).toMatchObject([{ actor: { id: scene.ids.operator }, target: scene.ids.stranger }])
})

test('[RIGHT-19] a folder of a closed account is handed over with what it holds, once', async () => {
  const { url } = scene.server
  const asOperator = scene.as('operator')
  const gone = await signUp(url, await invite({ call: callApi(url, scene.tokens.operator, '') }), 'Left')
  const { body: folder } = await gone.call<Folder>('POST', '/api/folders', { name: 'Plans' })
  const { body: held } = await gone.call<DocumentSummary>('POST', '/api/documents', { title: 'A', folder: folder.id })
  const handOver = (person?: string) => asOperator('POST', `/api/ownerless/folders/${folder.id}`, { person })
  expect((await handOver(scene.ids.stranger)).status).toBe(404)
  await asOperator('PATCH', `/api/auth/people/${gone.user.id}`, { active: false })
  const { body: list } = await asOperator<OwnerlessList>('GET', '/api/ownerless')
  const owners = [{ id: gone.user.id, name: 'Left', closed: true }]
  expect(list.folders).toEqual([{ id: folder.id, name: 'Plans', trashed: false, owners }])
  expect((await scene.as('stranger')('POST', `/api/ownerless/folders/${folder.id}`)).status).toBe(403)
  expect((await asOperator('POST', `/api/ownerless/folders/${held.id}`)).status).toBe(404)
  expect((await asOperator('POST', `/api/ownerless/${folder.id}`)).status).toBe(404)
  expect((await handOver(gone.user.id)).status).toBe(404)
  expect((await handOver(scene.ids.stranger)).status).toBe(204)
  expect((await handOver(scene.ids.viewer)).status).toBe(404)
  // The new owner has the role in all contents of the folder, as the former one had.
  const { body: seen } = await scene.as('stranger')<DocumentSummary>('GET', `/api/documents/${held.id}`)
  expect(seen).toMatchObject({ role: 'owner', folder: folder.id })
  expect((await asOperator('GET', `/api/documents/${held.id}`)).status).toBe(404)
  const { body: log } = await asOperator<AuditList>('GET', '/api/audit?action=folder-taken')
  expect(log.entries).toMatchObject([{ target: folder.id, details: { person: scene.ids.stranger } }])
})

test('[RIGHT-6] what was long on its way is refused if the right went meanwhile', async () => {
  await scene.give('revoked', 'editor')
  const form = (text: string): Uint8Array => new TextEncoder().encode(text)
  let releaseAnswer: () => void = () => undefined
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(form('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'))
      await new Promise<void>((resolve) => (releaseAnswer = resolve))
      controller.enqueue(form('no image\r\n--b--\r\n'))
      controller.close()
    },
  })
  const answer = fetch(`${scene.server.url}/api/documents/${scene.document}/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.tokens.revoked}`, 'content-type': 'multipart/form-data; boundary=b' },
    body,
    duplex: 'half',
  } as RequestInit)
  await scene.as('revoked')('GET', '')
  await scene.give('revoked', null)
  releaseAnswer()
  expect((await answer).status).toBe(404)
})

test('[RIGHT-22] sharing with an address does not reveal who has an account: not by the answer, the list, or a search', async () => {
  const { url } = scene.server
  const asOperator = callApi(url, scene.tokens.operator, '')
  const known = await signUp(url, await invite({ call: asOperator }, 'known@example.org'), 'Known')
  const claimed = await signUp(url, await invite({ call: asOperator }), 'Claimed')
  for (const actor of ['owner', 'editor'] as const) {
    const call = scene.as(actor)
    const answers = []
    for (const email of ['known@example.org', 'claimed@example.org', 'nobody@example.org']) {
      const { status, body } = await call<MemberList>('PUT', '/members', { members: [{ email, role: 'viewer' }] })
      const { members, pending } = body
      answers.push({ status, people: members.length, entry: pending.find((entry) => entry.email === email) })
      expect(pending.find((entry) => entry.email === email)).toEqual({ email, role: 'viewer' })
    }
    expect(new Set(answers.map(({ status, people }) => `${status} ${people}`)).size).toBe(1)
    const list = (await call<MemberList>('GET', '/members')).body
    for (const { user } of [known, claimed]) expect(JSON.stringify(list)).not.toContain(user.id)
    const found = await call<{ people: unknown[] }>('GET', '/api/people?query=known')
    expect(found.body.people).toEqual([])
  }
  // The role applies nevertheless, and after opening the document the person is listed.
  const asKnown = callApi(url, known.token, scene.document)
  expect((await asKnown<DocumentSummary>('GET', '')).body.role).toBe('viewer')
  expect((await membersOf()).members.map(({ id }) => id)).toContain(known.user.id)
  const gone = ['known', 'claimed', 'nobody'].map((name) => ({ email: `${name}@example.org`, role: null }))
  expect(await put('owner', gone)).toBe('ok')
  expect((await asKnown('GET', '')).status).toBe(404)
  expect((await membersOf()).pending).toEqual([])
})
