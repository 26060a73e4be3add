import type { Account, AuthOptions, Me } from '@copydesk/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OidcServer, startOidcServer } from '../../testing/servers/oidc-server.ts'
import { type AccountHolder, callAsNobody, invite, signUp, testPassword } from '../../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let oidc: OidcServer
let server: TestServer
let ana: AccountHolder

const settings = () => ({
  AUTH: 'accounts',
  OIDC_ISSUER: oidc.issuer,
  OIDC_CLIENT_ID: oidc.clientId,
  OIDC_CLIENT_SECRET: oidc.clientSecret,
  OIDC_NAME: 'Example ID',
})

beforeAll(async () => {
  oidc = await startOidcServer()
  server = await startTestServer(settings())
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(async () => {
  await server.dispose()
  await oidc.close()
})
beforeEach(() => {
  oidc.fault = 'none'
})

/** Simulates a browser that signs in at the OIDC server. Returns the final address and the resulting user. */
async function goThere(on: TestServer, given: { invitation?: string; returnTo?: string; as?: AccountHolder } = {}) {
  const cookies = new Map<string, string>()
  const keep = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const { as, ...body } = given
  if (as) cookies.set('copydesk_session', encodeURIComponent(as.token))
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const start = await fetch(`${on.url}/api/auth/oidc${as ? '/connect' : ''}`, {
    method: 'POST',
    headers: { cookie: cookie(), ...(as ? {} : { 'content-type': 'application/json' }) },
    ...(as ? {} : { body: JSON.stringify(body) }),
  }).then(keep)
  const { url } = (await start.json()) as { url: string }
  const there = await fetch(url, { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  // The port was not yet known when PUBLIC_URL was set.
  expect([back.origin, back.pathname]).toEqual(['http://127.0.0.1:3000', '/api/auth/oauth2/callback/oidc'])
  const returned = () =>
    fetch(on.url + back.pathname + back.search, { redirect: 'manual', headers: { cookie: cookie() } })
  const end = await returned().then(keep)
  expect(end.status).toBe(302)
  const me = await fetch(`${on.url}/api/me`, { headers: { cookie: cookie() } })
  return {
    location: end.headers.get('location'),
    me: me.ok ? ((await me.json()) as Me) : undefined,
    again: returned,
  }
}

test('[OIDC-1] an invited person signs in by a confirmed address, and is known from then on', async () => {
  const options = await callAsNobody(server.url)<AuthOptions>('GET', '/api/auth')
  expect(options.body.oidc).toEqual({ name: 'Example ID' })
  await invite(ana, 'bob@example.org')
  oidc.person = { sub: 'b', email: 'Bob@Example.org', email_verified: true, name: 'Bob' }
  const first = await goThere(server, { returnTo: '/d/some' })
  expect(first.location).toBe('/d/some')
  expect(first.me).toMatchObject({ email: 'bob@example.org', operator: false, user: { name: 'Bob' } })
  const second = await goThere(server)
  expect(second.me?.user).toEqual(first.me?.user)
  // The OIDC server is not called again, so its tokens are not stored.
  const rows = server.file.prepare('SELECT access_token, refresh_token, id_token FROM auth_accounts').all()
  expect(rows.flatMap((row) => Object.values(row)).every((value) => value === null)).toBe(true)
})

test('[OIDC-2] a person who was not invited cannot sign in, unless everybody may', async () => {
  oidc.person = { sub: 'e', email: 'eve@example.org', email_verified: true, name: 'Eve' }
  const refused = await goThere(server)
  expect(refused).toMatchObject({ location: '/sign-in?error=not_invited', me: undefined })
  const open = await startTestServer({ ...settings(), OIDC_SIGN_UP: 'true' })
  expect((await goThere(open)).me).toMatchObject({ email: 'eve@example.org' })
  await open.dispose()
})

test('[OIDC-3] the link of an invitation lets one person in, with whatever confirmed address', async () => {
  const invitation = await invite(ana)
  oidc.person = { sub: 'c', email: 'cleo@elsewhere.example', email_verified: true }
  expect((await goThere(server, { invitation })).me).toMatchObject({ email: 'cleo@elsewhere.example' })
  oidc.person = { sub: 'd', email: 'dora@elsewhere.example', email_verified: true }
  expect((await goThere(server, { invitation })).location).toBe('/sign-in?error=not_invited')
})

test('[OIDC-4] an address that isn’t confirmed on both sides gives nobody’s account to anybody', async () => {
  const hal = await signUp(server.url, await invite(ana), 'Hal')
  oidc.person = { sub: 'h', email: hal.email, email_verified: true, name: 'Hal' }
  expect((await goThere(server)).location).toBe('/sign-in?error=account_not_linked')
  const confirmed = await ana.call('PATCH', `/api/auth/people/${hal.user.id}`, { confirmedEmail: hal.email })
  expect(confirmed.status).toBe(200)
  expect((await goThere(server)).me?.user).toEqual(hal.user)
  const ida = await signUp(server.url, await invite(ana, 'ida@example.org'), 'Ida')
  oidc.person = { sub: 'i', email: ida.email, email_verified: false, name: 'Ida' }
  expect((await goThere(server)).me).toBeUndefined()
  oidc.person = { sub: 'i', email: ida.email, email_verified: true, name: 'Ida' }
  expect((await goThere(server)).me?.user).toEqual(ida.user)
  oidc.person = { sub: 'n', email: 'new@example.org', email_verified: false, name: 'New' }
  await invite(ana, 'new@example.org')
  expect((await goThere(server)).location).toBe('/sign-in?error=email_not_confirmed')
})

test('[OIDC-5] a signed-in person connects their account, and disconnects it while they have a password', async () => {
  const jo = await signUp(server.url, await invite(ana), 'Jo')
  oidc.person = { sub: 'j', email: 'jo@other.example', email_verified: true, name: 'Jo' }
  expect((await goThere(server, { as: jo })).location).toBe('/account')
  expect((await jo.call<Account>('GET', '/api/auth/account')).body).toMatchObject({
    connected: true,
    hasPassword: true,
  })
  expect((await goThere(server)).me?.user).toEqual(jo.user)
  expect((await jo.call('DELETE', '/api/auth/oidc')).status).toBe(204)
  expect((await goThere(server)).me).toBeUndefined()
})

test('[OIDC-6] a token of another issuer, for another client, of another key or too old is none', async () => {
  await invite(ana, 'kim@example.org')
  oidc.person = { sub: 'k', email: 'kim@example.org', email_verified: true, name: 'Kim' }
  for (const fault of ['other-issuer', 'other-audience', 'other-key', 'expired'] as const) {
    oidc.fault = fault
    expect([fault, (await goThere(server)).location]).toEqual([fault, '/sign-in?error=user_info_is_missing'])
  }
  oidc.fault = 'none'
  expect((await goThere(server)).me).toMatchObject({ email: 'kim@example.org' })
})

test('[OIDC-7] what comes back counts once, and only for the browser that went', async () => {
  oidc.person = { sub: 'k', email: 'kim@example.org', email_verified: true, name: 'Kim' }
  const { again } = await goThere(server)
  expect((await again()).headers.get('location')).toMatch(/^\/sign-in\?error=/)
  const start = await fetch(`${server.url}/api/auth/oidc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { url } = (await start.json()) as { url: string }
  const there = await fetch(url, { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  const stolen = await fetch(server.url + back.pathname + back.search, { redirect: 'manual' })
  expect(stolen.headers.get('location')).toMatch(/^\/sign-in\?error=/)
  expect(stolen.headers.getSetCookie().join()).not.toMatch(/copydesk_session=[^;]/)
})

test('[OIDC-8] a closed account doesn’t come in, and nobody is sent to another site', async () => {
  const lea = await signUp(server.url, await invite(ana, 'lea@example.org'), 'Lea')
  await ana.call('PATCH', `/api/auth/people/${lea.user.id}`, { active: false })
  oidc.person = { sub: 'l', email: lea.email, email_verified: true, name: 'Lea' }
  expect((await goThere(server)).me).toBeUndefined()
  const body = { email: lea.email, password: testPassword }
  expect((await callAsNobody(server.url)('POST', '/api/auth/sign-in', body)).status).toBe(403)
  for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil']) {
    expect((await callAsNobody(server.url)('POST', '/api/auth/oidc', { returnTo })).status).toBe(400)
  }
})

test('[ACC-22] an unconfirmed claim to an address does not keep out the person whom single sign-on knows by it', async () => {
  const eve = await signUp(server.url, await invite(ana), 'Eve')
  const claim = { email: 'ines@example.org', password: testPassword }
  expect((await eve.call('PATCH', '/api/auth/account', claim)).status).toBe(200)
  oidc.person = { sub: 'ines', email: 'ines@example.org', email_verified: true, name: 'Ines' }
  // Without an invitation there is no change, and Eve keeps the address.
  expect((await goThere(server)).me).toBeUndefined()
  expect((await eve.call<Account>('GET', '/api/auth/account')).body.email).toBe('ines@example.org')
  await ana.call('POST', '/api/auth/invitations', { email: 'ines@example.org' })
  const ines = await goThere(server)
  expect([ines.me?.user.name, ines.me?.email]).toEqual(['Ines', 'ines@example.org'])
  expect(ines.me?.user.id).not.toBe(eve.user.id)
  const { body } = await eve.call<Account>('GET', '/api/auth/account')
  expect([body.user.name, body.email]).toEqual(['Eve', `${eve.user.id}@replaced.invalid`])
})
