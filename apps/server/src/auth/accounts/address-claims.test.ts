import type { Account, CreatedInvitation, Session } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountHolder, callAsNobody, invite, signUp, testPassword } from '../../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder
let eve: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  eve = await signUp(server.url, await invite(ana), 'Eve')
})
afterAll(() => server.dispose())

const claim = (email: string) => eve.call<Account>('PATCH', '/api/auth/account', { email, password: testPassword })
const addressOf = async (holder: AccountHolder) => (await holder.call<Account>('GET', '/api/auth/account')).body.email

test('[ACC-22] an invitation for an address works for its holder, even if another person claimed it before', async () => {
  const invitation = await invite(ana, 'ben@example.org')
  expect((await claim('ben@example.org')).status).toBe(200)
  const ben = await signUp(server.url, invitation, 'Ben')
  expect(await addressOf(ben)).toBe('ben@example.org')
  expect(ben.user.id).not.toBe(eve.user.id)
  // Eve keeps everything but that address, and signs in with another one.
  expect(await addressOf(eve)).toBe(`${eve.user.id}@replaced.invalid`)
  expect((await claim('eve@example.org')).status).toBe(200)
  const signIn = { email: 'eve@example.org', password: testPassword }
  const again = await callAsNobody(server.url)<Session>('POST', '/api/auth/sign-in', signIn)
  expect(again.body.user.id).toBe(eve.user.id)
})

test('[ACC-22] nor does it keep an operator from inviting', async () => {
  expect((await claim('cleo@example.org')).status).toBe(200)
  const { status, body } = await ana.call<CreatedInvitation>('POST', '/api/auth/invitations', {
    email: 'cleo@example.org',
  })
  expect(status).toBe(201)
  const cleo = await signUp(server.url, body.url.split('#')[1] ?? '', 'Cleo')
  expect(await addressOf(cleo)).toBe('cleo@example.org')
})

test('[ACC-22] a confirmed address is nobody else’s, and one that nobody confirms goes to who said it first', async () => {
  const dora = await signUp(server.url, await invite(ana, 'dora@example.org'), 'Dora')
  expect((await claim('dora@example.org')).status).toBe(409)
  expect((await ana.call('POST', '/api/auth/invitations', { email: 'dora@example.org' })).status).toBe(409)
  expect((await claim('eda@example.org')).status).toBe(200)
  const body = { token: await invite(ana), name: 'Eda', email: 'eda@example.org', password: testPassword }
  expect((await callAsNobody(server.url)('POST', '/api/auth/sign-up', body)).status).toBe(409)
  expect([await addressOf(dora), await addressOf(eve)]).toEqual(['dora@example.org', 'eda@example.org'])
})
