import type {
  Account,
  AccountPerson,
  AccountPersonList,
  AccountSessionList,
  ApiKeyList,
  AuthOptions,
  CreatedInvitation,
  CreatedKey,
  DocumentSummary,
  InvitationList,
  Me,
  OpenedLink,
  ResetLink,
  Session,
} from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AccountHolder,
  callAsNobody,
  invite,
  signInAgain,
  signUp,
  testPassword,
} from '../../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { changeFile } from '../../testing/test-store.ts'

let server: TestServer
let ana: AccountHolder
let nobody: AccountHolder['call']
let before: AuthOptions

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts' })
  nobody = callAsNobody(server.url)
  before = (await nobody<AuthOptions>('GET', '/api/auth')).body
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(() => server.dispose())

test('[ACC-1] the set-up link makes the first account, an operator, once', async () => {
  expect(before).toEqual({ auth: 'accounts', needsSetUp: true })
  const me = await ana.call<Me>('GET', '/api/me')
  expect(me.body).toMatchObject({ auth: 'accounts', email: 'ana@example.org', operator: true, user: ana.user })
  expect((await nobody<AuthOptions>('GET', '/api/auth')).body.needsSetUp).toBe(false)
  const again = await nobody('POST', '/api/auth/sign-up', {
    token: server.setUpToken,
    name: 'Eve',
    email: 'eve@example.org',
    password: testPassword,
  })
  expect([again.status, again.body.error.code]).toEqual([404, 'not_found'])
})

test('[ACC-2] an invitation makes one account, and one for an address only that of this address', async () => {
  const made = await ana.call<CreatedInvitation>('POST', '/api/auth/invitations', { email: 'Bob@Example.org ' })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ email: 'bob@example.org', createdBy: 'Ana' })
  const token = made.body.url.split('#')[1] ?? ''
  const link = await nobody<OpenedLink>('POST', '/api/auth/links', { token })
  expect(link.body).toEqual({ kind: 'invitation', email: 'bob@example.org' })
  const other = { token, name: 'Eve', email: 'eve@example.org', password: testPassword }
  expect((await nobody('POST', '/api/auth/sign-up', other)).status).toBe(403)
  const bob = await signUp(server.url, token, 'Bob')
  expect((await bob.call<Me>('GET', '/api/me')).body).toMatchObject({ operator: false, email: 'bob@example.org' })
  expect((await nobody('POST', '/api/auth/sign-up', { ...other, email: 'bob@example.org' })).status).toBe(404)
  expect((await nobody('POST', '/api/auth/links', { token })).status).toBe(404)
  const { invitations } = (await ana.call<InvitationList>('GET', '/api/auth/invitations')).body
  expect(invitations.map(({ id }) => id)).not.toContain(made.body.id)
})

test('[ACC-2] of many who use an invitation at once one comes in', async () => {
  const token = await invite(ana)
  const tries = Array.from({ length: 5 }, (_, index) => signUp(server.url, token, `Racer${index}`))
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('[ACC-3] an invitation that was taken back or is over, and any other token, let nobody in', async () => {
  const made = await ana.call<CreatedInvitation>('POST', '/api/auth/invitations', {})
  const token = made.body.url.split('#')[1] ?? ''
  expect((await ana.call('DELETE', `/api/auth/invitations/${made.body.id}`)).status).toBe(204)
  expect((await ana.call('DELETE', `/api/auth/invitations/${made.body.id}`)).status).toBe(404)
  const late = await ana.call<CreatedInvitation>('POST', '/api/auth/invitations', { days: 1 })
  await changeFile(server.file, 'UPDATE auth_links SET expires_at = ? WHERE id = ?', Date.now() - 1, late.body.id)
  const [id = ''] = token.split('.')
  const answers = []
  for (const bad of [token, late.body.url.split('#')[1] ?? '', `${id}.`, id, 'x.y', '.', 'x'.repeat(200)]) {
    const answer = await nobody('POST', '/api/auth/links', { token: bad })
    answers.push([answer.status, answer.body.error.message])
  }
  expect(new Set(answers.map(String))).toEqual(new Set([String([404, 'This link is no longer valid.'])]))
})

test('[ACC-4] what is stored of links, keys and passwords lets nobody in', async () => {
  const token = await invite(ana)
  const { body } = await ana.call<CreatedKey>('POST', '/api/auth/keys', { name: 'script', scope: 'read' })
  const rows = ['auth_links', 'api_keys', 'auth_accounts'].flatMap((table) =>
    server.file.prepare(`SELECT * FROM ${table}`).all(),
  )
  const stored = JSON.stringify(rows)
  for (const secret of [token.split('.')[1] ?? '-', body.key, body.key.slice(4), testPassword]) {
    expect(stored).not.toContain(secret)
  }
})

test('[ACC-5] a wrong address and a wrong password get the same answer', async () => {
  const attempt = (email: string) => nobody('POST', '/api/auth/sign-in', { email, password: 'not the right one' })
  const [known, unknown] = [await attempt('ana@example.org'), await attempt('nobody@example.org')]
  expect(known.status).toBe(401)
  expect(known).toEqual(unknown)
})

test('[ACC-6] passwords that are easy to guess are refused', async () => {
  const token = await invite(ana)
  const easy = ['short', 'password123', 'Passwort2026!', '1234567890', 'aaaaaaaaaaaa', 'qwertyuiop', 'hugo-2026-hugo']
  for (const password of easy) {
    const body = { token, name: 'Hugo', email: 'hugo@example.org', password }
    const answer = await nobody('POST', '/api/auth/sign-up', body)
    expect([password, answer.status]).toEqual([password, 400])
    expect(answer.body.error.message).toMatch(/password/i)
  }
})

test('[ACC-7] a session is a cookie that scripts can’t read, and a token that must be signed', async () => {
  const response = await fetch(`${server.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ana.email, password: testPassword }),
  })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^copydesk_session=[^;]+;.*HttpOnly/)
  expect(cookie).toMatch(/SameSite=Lax/)
  expect(cookie).not.toMatch(/Secure/)
  const me = async (headers: Record<string, string>) => (await fetch(`${server.url}/api/me`, { headers })).status
  expect(await me({ cookie: cookie.split(';')[0] ?? '' })).toBe(200)
  const { token } = (await response.json()) as Session
  expect(await me({ authorization: `Bearer ${token}` })).toBe(200)
  const [unsigned = ''] = token.split('.')
  for (const bad of [unsigned, `${unsigned}.`, `${unsigned}.${'A'.repeat(43)}=`, `${token}x`]) {
    expect([bad, await me({ authorization: `Bearer ${bad}` })]).toEqual([bad, 401])
  }
})

test('[ACC-8] a name alone lets nobody in, nor does a token from the time before accounts', async () => {
  const answer = await nobody('POST', '/api/session', { name: 'Eve' })
  expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
  const token = await server.tokens.issue({ kind: 'person', id: ana.user.id })
  const me = await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(me.status).toBe(401)
})

test('[ACC-9] people see where they are signed in, end one session, or all', async () => {
  const cleo = await signUp(server.url, await invite(ana), 'Cleo')
  const second = await signInAgain(server.url, cleo)
  const third = await signInAgain(server.url, cleo)
  const { sessions } = (await cleo.call<AccountSessionList>('GET', '/api/auth/sessions')).body
  expect(sessions).toHaveLength(3)
  expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  expect(sessions[0]).toMatchObject({ device: 'node', address: '127.0.0.1' })
  const other = (await second.call<AccountSessionList>('GET', '/api/auth/sessions')).body.sessions
  const id = other.find(({ current }) => current)?.id ?? ''
  expect((await ana.call('DELETE', `/api/auth/sessions/${id}`)).status).toBe(404)
  expect((await cleo.call('DELETE', `/api/auth/sessions/${id}`)).status).toBe(204)
  expect((await second.call('GET', '/api/me')).status).toBe(401)
  expect((await third.call('GET', '/api/me')).status).toBe(200)
  expect((await cleo.call('POST', '/api/auth/sign-out-everywhere')).status).toBe(204)
  for (const ended of [cleo, third]) expect((await ended.call('GET', '/api/me')).status).toBe(401)
})

test('[ACC-10] a new password or address needs the present password, and a new password ends all other sessions', async () => {
  const dora = await signUp(server.url, await invite(ana), 'Dora')
  const other = await signInAgain(server.url, dora)
  const password = 'thimble ocean gravel'
  const wrong = await dora.call('POST', '/api/auth/password', { current: 'not the right one', password })
  expect([wrong.status, wrong.body.error.code]).toEqual([403, 'forbidden'])
  expect((await dora.call('POST', '/api/auth/password', { current: testPassword, password })).status).toBe(204)
  expect((await other.call('GET', '/api/me')).status).toBe(401)
  expect((await dora.call('GET', '/api/me')).status).toBe(200)
  const email = 'dora.new@example.org'
  expect((await dora.call('PATCH', '/api/auth/account', { email })).status).toBe(403)
  const taken = await dora.call('PATCH', '/api/auth/account', { email: 'ANA@example.org', password })
  expect(taken.status).toBe(409)
  const changed = await dora.call<Account>('PATCH', '/api/auth/account', { email, password, name: 'Dora Long' })
  expect(changed.body).toMatchObject({ email, user: { name: 'Dora Long' }, hasPassword: true, connected: false })
  expect((await dora.call<Me>('GET', '/api/me')).body.user.name).toBe('Dora Long')
  expect((await nobody('POST', '/api/auth/sign-in', { email, password })).status).toBe(200)
})

test('[ACC-10] of several who want the same address at once one gets it, and the others get the error that it can’t be used', async () => {
  const names = ['Ivo', 'Jan', 'Kim', 'Lea']
  const people = await Promise.all(names.map(async (name) => signUp(server.url, await invite(ana), name)))
  // OIDC accounts have no password; a password check would keep these requests from running at the same time.
  for (const { user } of people) await changeFile(server.file, 'DELETE FROM auth_accounts WHERE person = ?', user.id)
  for (const round of [1, 2, 3]) {
    const email = `wanted${round}@example.org`
    const token = await invite(ana)
    const answers = await Promise.all([
      ...people.map(({ call }) => call('PATCH', '/api/auth/account', { email })),
      // A sign-up with the address competes as well.
      nobody('POST', '/api/auth/sign-up', { token, name: `New ${round}`, email, password: testPassword }),
    ])
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array<unknown>(people.length).fill([409, 'conflict']),
    )
    for (const { body } of refused) expect(body.error.hint).toMatch(/\S/)
    const owners = server.file.prepare('SELECT id FROM people WHERE email = ?').all(email)
    expect(owners).toHaveLength(1)
  }
  expect(server.logged()).not.toContain('request failed')
})

test('[ACC-11] an operator hands over a link for a new password, which works once and ends all sessions', async () => {
  const emil = await signUp(server.url, await invite(ana), 'Emil')
  const reset = () => ana.call<ResetLink>('POST', `/api/auth/people/${emil.user.id}/reset`)
  const old = (await reset()).body.url.split('#')[1]
  const made = await reset()
  expect([made.status, made.body.url]).toEqual([201, expect.stringMatching(/\/reset#/)])
  const token = made.body.url.split('#')[1]
  const password = 'thimble ocean gravel'
  expect((await nobody('POST', '/api/auth/reset', { token: old, password })).status).toBe(404)
  expect((await nobody('POST', '/api/auth/reset', { token, password })).status).toBe(200)
  expect((await nobody('POST', '/api/auth/reset', { token, password })).status).toBe(404)
  expect((await emil.call('GET', '/api/me')).status).toBe(401)
  expect((await nobody('POST', '/api/auth/sign-in', { email: emil.email, password: testPassword })).status).toBe(401)
  expect((await nobody('POST', '/api/auth/sign-in', { email: emil.email, password })).status).toBe(200)
})

test('[ACC-12] [ACC-21] a closed account lets nobody in until it is opened again, and its keys never again', async () => {
  const finn = await signUp(server.url, await invite(ana), 'Finn')
  const { body: key } = await finn.call<CreatedKey>('POST', '/api/auth/keys', { name: 'script', scope: 'write' })
  const byKey = async () =>
    (await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${key.key}` } })).status
  expect(await byKey()).toBe(200)
  const set = (active: boolean) => ana.call<AccountPerson>('PATCH', `/api/auth/people/${finn.user.id}`, { active })
  expect((await set(false)).body.active).toBe(false)
  expect([(await finn.call('GET', '/api/me')).status, await byKey()]).toEqual([401, 401])
  const closed = await nobody('POST', '/api/auth/sign-in', { email: finn.email, password: testPassword })
  expect([closed.status, closed.body.error.message]).toEqual([403, 'This account is closed.'])
  const wrong = await nobody('POST', '/api/auth/sign-in', { email: finn.email, password: 'not the right one' })
  expect(wrong.status).toBe(401)
  expect((await set(true)).body.active).toBe(true)
  expect(await byKey()).toBe(401)
  expect((await signInAgain(server.url, finn)).user.id).toBe(finn.user.id)
})

test('[ACC-13] only operators look after people, nobody closes their own account, and what others may do is their own', async () => {
  const gus = await signUp(server.url, await invite(ana), 'Gus')
  const routes = [
    ['GET', '/api/auth/people'],
    ['PATCH', `/api/auth/people/${ana.user.id}`, { active: false }],
    ['POST', `/api/auth/people/${ana.user.id}/reset`],
    ['GET', '/api/auth/invitations'],
    ['POST', '/api/auth/invitations', {}],
    ['DELETE', '/api/auth/invitations/x'],
  ] as const
  for (const [method, path, body] of routes) {
    expect([path, (await gus.call(method, path, body)).status]).toEqual([path, 403])
    expect([path, (await nobody(method, path, body)).status]).toEqual([path, 401])
  }
  const own = `/api/auth/people/${ana.user.id}`
  expect((await ana.call('PATCH', own, { active: false })).status).toBe(409)
  expect((await ana.call('PATCH', own, { operator: false })).status).toBe(409)
  await ana.call('PATCH', `/api/auth/people/${gus.user.id}`, { operator: true })
  const { people } = (await gus.call<AccountPersonList>('GET', '/api/auth/people')).body
  expect(people.find(({ user }) => user.id === gus.user.id)).toMatchObject({ operator: true, email: gus.email })
  expect((await ana.call('POST', '/api/auth/people/nobody/reset')).status).toBe(404)
})

test('[ACC-14] a key does what its scope says, nothing about the account, and nothing once it is taken away or over', async () => {
  const hal = await signUp(server.url, await invite(ana), 'Hal')
  const make = async (scope: string, days?: number) => {
    const body = { name: `to ${scope}`, scope, ...(days === undefined ? {} : { days }) }
    const answer = await hal.call<CreatedKey>('POST', '/api/auth/keys', body)
    expect(answer.status).toBe(201)
    return answer.body
  }
  const callWith = async (key: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    return (await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })).status
  }
  const [read, comment, write] = [await make('read'), await make('comment', 30), await make('write')]
  const { body: document } = await hal.call<DocumentSummary>('POST', '/api/documents', { markdown: 'Words' })
  const path = `/api/documents/${document.id}`
  const thread = { quote: 'Words', text: 'Which?' }
  const tried = async (key: string) => [
    await callWith(key, 'GET', path),
    await callWith(key, 'POST', `${path}/threads`, thread),
    await callWith(key, 'PATCH', path, { title: 'New' }),
    await callWith(key, 'POST', '/api/documents', {}),
  ]
  expect(await tried(read.key)).toEqual([200, 403, 403, 403])
  expect(await tried(comment.key)).toEqual([200, 201, 403, 403])
  expect(await tried(write.key)).toEqual([200, 201, 200, 201])
  for (const route of ['/api/auth/keys', '/api/auth/account', '/api/auth/sessions']) {
    expect([route, await callWith(write.key, 'GET', route)]).toEqual([route, 403])
  }
  expect(await callWith(write.key, 'PATCH', '/api/me', { name: 'Not Hal' })).toBe(403)
  const { keys } = (await hal.call<ApiKeyList>('GET', '/api/auth/keys')).body
  expect(keys.find(({ id }) => id === comment.id)).toMatchObject({ name: 'to comment', scope: 'comment' })
  expect(keys.every(({ lastUsedAt }) => lastUsedAt !== null)).toBe(true)
  expect(JSON.stringify(keys)).not.toContain(read.key)
  expect((await ana.call('DELETE', `/api/auth/keys/${read.id}`)).status).toBe(404)
  expect((await hal.call('DELETE', `/api/auth/keys/${read.id}`)).status).toBe(204)
  await changeFile(server.file, 'UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() - 1, comment.id)
  expect([await callWith(read.key, 'GET', path), await callWith(comment.key, 'GET', path)]).toEqual([401, 401])
})

test('[ACC-14] a key opens a document over the WebSocket, to read only where it is for reading', async () => {
  const { body: document } = await ana.call<DocumentSummary>('POST', '/api/documents', { markdown: 'Words' })
  for (const [scope, isReadOnly] of [
    ['write', false],
    ['read', true],
  ] as const) {
    const { body } = await ana.call<CreatedKey>('POST', '/api/auth/keys', { name: scope, scope })
    const editor = await server.join(body.key, document.id)
    expect(editor.provider.authorizedScope).toBe(isReadOnly ? 'readonly' : 'read-write')
    editor.close()
  }
})
