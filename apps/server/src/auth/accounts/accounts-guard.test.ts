import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthOptions, DocumentSummary, Session } from '@copydesk/protocol'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectRaw } from '@copydesk/testing'
import { readConfig } from '../../services/config.ts'
import { type RunningServer, startServer } from '../../server.ts'
import { type AccountHolder, callAsNobody, invite, signUp, testPassword } from '../../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts', TRUST_PROXY: '1' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(() => server.dispose())

type Headers = Record<string, string>

function post(path: string, body: unknown, headers: Headers = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const signIn = (email: string, password: string, address: string): Promise<Response> =>
  post('/api/auth/sign-in', { email, password }, { 'x-forwarded-for': address })

test('[ACC-15] wrong passwords slow down who tries them, known account or not, and keep nobody else out', async () => {
  const bob = await signUp(server.url, await invite(ana), 'Bob')
  for (const email of [bob.email, 'unknown@example.org']) {
    const answers = []
    for (let round = 0; round < 11; round += 1) {
      answers.push((await signIn(email, 'not the right one', '10.0.0.1')).status)
    }
    expect([email, answers]).toEqual([email, [...Array.from({ length: 10 }, () => 401), 429]])
  }
  const last = await signIn(bob.email, testPassword, '10.0.0.1')
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(120)
  expect((await signIn(bob.email, testPassword, '10.0.1.1')).status).toBe(200)
  expect((await bob.call('GET', '/api/me')).status).toBe(200)
})

test('[ACC-15] from many addresses an account is guessed at slowly, and a device that has signed in to it before isn’t held up', async () => {
  const eda = await signUp(server.url, await invite(ana), 'Eda')
  const signedIn = await signIn(eda.email, testPassword, '10.3.0.1')
  const device = signedIn.headers.getSetCookie().find((cookie) => cookie.startsWith('copydesk_device='))
  expect(device).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax/)
  const cookie = device!.split(';')[0]!
  const statuses = []
  for (let round = 0; round < 32; round += 1) {
    statuses.push((await signIn(eda.email, 'not the right one', `10.4.0.${round}`)).status)
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(31)
  expect(statuses.at(-1)).toBe(429)
  const stranger = await signIn(eda.email, testPassword, '10.5.0.1')
  expect(stranger.status).toBe(429)
  expect(Number(stranger.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  const again = (sent: string, password = testPassword, email = eda.email) =>
    post('/api/auth/sign-in', { email, password }, { 'x-forwarded-for': '10.4.0.1', cookie: sent })
  expect((await again(cookie)).status).toBe(200)
  // A cookie of another account, or an altered cookie, has no effect; and a device has its own limit.
  const [name = '', value = ''] = cookie.split('=')
  expect((await again(`${name}=x${value}`)).status).toBe(429)
  const own = []
  for (let round = 0; round < 21; round += 1) own.push((await again(cookie, 'not the right one')).status)
  expect(own).toEqual([...Array.from({ length: 20 }, () => 401), 429])
})

test('[ACC-15] a token that no header takes is refused like any other, and its socket stays', async () => {
  const { id } = (await ana.call<DocumentSummary>('POST', '/api/documents', { title: 'one' })).body
  const client = await connectRaw(server.url, id)
  for (const token of ['%\u4e00', '%\n', 'a b', '%zz']) await client.authenticate(token)
  expect(client.received).toMatchObject({ denied: Array<string>(4).fill('unauthenticated'), closed: undefined })
  await client.authenticate(ana.token)
  expect(client.received.authenticated).toBe(1)
  client.close()
})

test('[ACC-15] an address that guesses has to wait, whatever it says before the last proxy', async () => {
  const statuses = []
  for (let round = 0; round < 70; round += 1) {
    const headers = { 'x-forwarded-for': `10.9.9.${round}, 10.2.0.1` }
    statuses.push((await post('/api/auth/links', { token: `${round}.x` }, headers)).status)
  }
  const passed = statuses.filter((status) => status === 404).length
  expect(passed).toBeGreaterThanOrEqual(60)
  expect(passed).toBeLessThan(69)
  expect(statuses.at(-1)).toBe(429)
  expect((await post('/api/auth/links', { token: 'x' }, { 'x-forwarded-for': '10.2.0.2' })).status).toBe(404)
})

test('[ACC-17] no page of another site signs anybody in, out, or changes anything', async () => {
  const cleo = await signUp(server.url, await invite(ana), 'Cleo')
  const origin = 'https://evil.example'
  const cookie = `copydesk_session=${encodeURIComponent(cleo.token)}`
  const tries = [
    await post('/api/auth/sign-in', { email: cleo.email, password: testPassword }, { origin }),
    await post('/api/auth/sign-out-everywhere', {}, { origin, cookie }),
    await post('/api/auth/keys', { name: 'x', scope: 'write' }, { origin, cookie }),
    await post('/api/auth/oidc', {}, { origin }),
  ]
  expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  const form = await fetch(`${server.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email: cleo.email, password: testPassword }),
  })
  expect(form.status).toBe(415)
  expect((await cleo.call('GET', '/api/me')).status).toBe(200)
})

test('[ACC-9] whatever ends a session or key is signalled, so that open connections are looked at', async () => {
  const dora = await signUp(server.url, await invite(ana), 'Dora')
  const { body: document } = await dora.call<DocumentSummary>('POST', '/api/documents', { markdown: 'Words' })
  const editor = await server.join(dora.token, document.id)
  const closed = new Promise((resolve) => editor.provider.on('close', resolve))
  await dora.call('POST', '/api/auth/sign-out-everywhere')
  await expect(closed).resolves.toBeDefined()
  editor.close()
})

test('[ACC-8] with AUTH=open there are no accounts: their routes say so, and nothing of theirs is a token', async () => {
  const open = await startTestServer()
  const nobody = callAsNobody(open.url)
  expect((await nobody<AuthOptions>('GET', '/api/auth')).body).toEqual({ auth: 'open', needsSetUp: false })
  const { token } = (await nobody<Session>('POST', '/api/session', { name: 'Eve' })).body
  const eve = { headers: { authorization: `Bearer ${token}` } }
  for (const path of ['account', 'sessions', 'keys', 'people', 'invitations']) {
    const answer = await fetch(`${open.url}/api/auth/${path}`, eve)
    expect([path, answer.status]).toEqual([path, 404])
  }
  expect((await nobody('POST', '/api/auth/sign-in', { email: 'a@b.example', password: 'x' })).status).toBe(404)
  for (const foreign of [ana.token, 'cdk_x']) {
    const answer = await fetch(`${open.url}/api/me`, { headers: { authorization: `Bearer ${foreign}` } })
    expect(answer.status).toBe(401)
  }
  await open.dispose()
})

test('[ACC-1] [ACC-11] every start prints a new set-up link until there is an operator, later a way back in for whom one names', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-set-up-'))
  const start = (more: Record<string, string> = {}): Promise<RunningServer> => {
    const environment = { DATA_DIR: directory, AUTH: 'accounts', AGENT_PROVIDER: 'builtin', ...more }
    const config = { ...readConfig(environment), PORT: 0 }
    return startServer({ config, logger: pino({ level: 'silent' }), webRoot: directory })
  }
  const tokenOf = ({ setUpUrl }: RunningServer): string => setUpUrl?.split('#')[1] ?? ''
  const first = await start()
  await first.close()
  const second = await start()
  const look = async (token: string) => (await callAsNobody(second.url)('POST', '/api/auth/links', { token })).status
  expect([await look(tokenOf(first)), await look(tokenOf(second))]).toEqual([404, 200])
  await signUp(second.url, tokenOf(second), 'Ana')
  await second.close()
  const third = await start({ RESET_PASSWORD_OF: 'Ana@example.org' })
  expect(third.setUpUrl).toBeUndefined()
  const token = third.resetUrl?.split('#')[1]
  const reset = await callAsNobody(third.url)('POST', '/api/auth/reset', { token, password: 'thimble ocean gravel' })
  expect(reset.status).toBe(200)
  await third.close()
  rmSync(directory, { recursive: true, force: true })
})
