import {
  type AccountPerson,
  closeCodes,
  type CreatedKey,
  type DocumentSummary,
  type ResetLink,
} from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectRaw, until } from '@copydesk/testing'
import { callApi } from '../../testing/call-api.ts'
import { type AccountHolder, callAsNobody, invite, signUp, testPassword } from '../../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { changeFile } from '../../testing/test-store.ts'

let server: TestServer
let ana: AccountHolder
let nobody: AccountHolder['call']

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts' })
  nobody = callAsNobody(server.url)
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(() => server.dispose())

/** The actor and cause of each revocation of a key in the audit log. */
function keysEnded(key: string): [string, unknown][] {
  const rows = server.file
    .prepare("SELECT actor, details FROM audit WHERE action = 'key-revoked' AND target = ?")
    .all(key)
  return rows.map(({ actor, details }) => [String(actor), JSON.parse(String(details))])
}

test('[ACC-21] a reset of the password ends all keys of that person, and nobody else’s', async () => {
  const gil = await signUp(server.url, await invite(ana), 'Gil')
  const makeKey = async (holder: typeof gil) =>
    (await holder.call<CreatedKey>('POST', '/api/auth/keys', { name: 'script', scope: 'write' })).body
  const [first, second, others] = [await makeKey(gil), await makeKey(gil), await makeKey(ana)]
  const { body } = await ana.call<ResetLink>('POST', `/api/auth/people/${gil.user.id}/reset`)
  // The link alone revokes no key: it may never be used.
  expect((await callApi(server.url, first.key, '')('GET', '/api/me')).status).toBe(200)
  const token = body.url.split('#')[1]
  const weak = await nobody('POST', '/api/auth/reset', { token, password: 'password123' })
  expect(weak.status).toBe(400)
  expect((await callApi(server.url, first.key, '')('GET', '/api/me')).status).toBe(200)
  const { status } = await nobody('POST', '/api/auth/reset', { token, password: 'thimble ocean gravel' })
  expect(status).toBe(200)
  for (const { key, id } of [first, second]) {
    expect((await callApi(server.url, key, '')('GET', '/api/me')).status).toBe(401)
    expect(keysEnded(id)).toEqual([[gil.user.id, { how: 'password-reset' }]])
  }
  expect((await callApi(server.url, others.key, '')('GET', '/api/me')).status).toBe(200)
})

test('[ACC-21] a new password ends one’s own keys, unless they are to be kept; a wrong one ends nothing', async () => {
  const ida = await signUp(server.url, await invite(ana), 'Ida')
  const { body: key } = await ida.call<CreatedKey>('POST', '/api/auth/keys', { name: 'script', scope: 'read' })
  const byKey = async () => (await callApi(server.url, key.key, '')('GET', '/api/me')).status
  const change = async (current: string, password: string, more: Record<string, unknown> = {}) =>
    (await ida.call('POST', '/api/auth/password', { current, password, ...more })).status
  expect([await change('not the right one', 'thimble ocean gravel'), await byKey()]).toEqual([403, 200])
  expect([await change(testPassword, 'thimble ocean gravel', { keepKeys: true }), await byKey()]).toEqual([204, 200])
  expect([await change('thimble ocean gravel', 'thimble lake gravel'), await byKey()]).toEqual([204, 401])
  expect(keysEnded(key.id)).toEqual([[ida.user.id, { how: 'password-changed' }]])
})

test('[ACC-14] a socket that was opened with a key is closed within a second when the key’s time is over', async () => {
  const { body: document } = await ana.call<DocumentSummary>('POST', '/api/documents', { markdown: 'Words' })
  const { body: key } = await ana.call<CreatedKey>('POST', '/api/auth/keys', { name: 'soon', scope: 'write', days: 1 })
  const client = await connectRaw(server.url, document.id)
  await client.authenticate(key.key)
  const endsAt = Date.now() + 500
  await changeFile(server.file, 'UPDATE api_keys SET expires_at = ? WHERE id = ?', endsAt, key.id)
  // A `rights` signal makes the server compute the next key expiry again.
  await ana.call('PATCH', '/api/auth/account', { name: 'Ana' })
  await until(() => Date.now() >= endsAt, 'the key is over')
  expect((await client.closed()).code).toBe(closeCodes.unauthenticated)
})

test('[ACC-21] closing an account ends its keys for good, and says so in the audit log', async () => {
  const finn = await signUp(server.url, await invite(ana), 'Finn')
  const { body: key } = await finn.call<CreatedKey>('POST', '/api/auth/keys', { name: 'script', scope: 'write' })
  for (const active of [false, true]) {
    await ana.call<AccountPerson>('PATCH', `/api/auth/people/${finn.user.id}`, { active })
    expect((await callApi(server.url, key.key, '')('GET', '/api/me')).status).toBe(401)
  }
  expect(keysEnded(key.id)).toEqual([[ana.user.id, { how: 'account-closed' }]])
})
