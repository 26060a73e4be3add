import { get } from 'node:http'
import { closeCodes, type FollowedLink, type NewShareLink } from '@copydesk/protocol'
import { afterEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw, type RawDocument, until } from '@copydesk/testing'
import { callAsNobody, signInAgain, signUp } from '../../testing/test-accounts.ts'
import { firstText, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { defaultSocketLimits, type SocketLimits } from './socket-limits.ts'

let server: TestServer | undefined

afterEach(async () => {
  await server?.dispose()
  server = undefined
})

type Scene = {
  server: TestServer
  /** Opens a socket with this client address, as reported by one proxy. */
  from: (address: string) => Promise<RawDocument>
  /** The response to an upgrade from an address: its status, and how many seconds to wait. */
  ask: (address: string) => Promise<{ status: number | undefined; wait: string | undefined }>
  id: string
  token: string
}

async function open(socketLimits: Partial<SocketLimits>): Promise<Scene> {
  const started = (server = await startTestServer({ TRUST_PROXY: '1' }, { socketLimits }))
  const ana = await started.signIn('Ana')
  const { id } = await started.create(ana, 'start')
  return {
    server: started,
    from: (address) => connectRaw(started.url, id, '/collab', { 'x-forwarded-for': address }),
    ask: (address) => askForUpgrade(started.url, address),
    id,
    token: ana.token,
  }
}

/** Requests a WebSocket and closes it immediately if the upgrade succeeds. */
function askForUpgrade(url: string, address: string): ReturnType<Scene['ask']> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'x-forwarded-for': address,
  }
  return new Promise((resolve, reject) => {
    const request = get(`${url}/collab`, { headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, wait: answer.headers['retry-after'] })
    })
    request.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve({ status: answer.statusCode, wait: undefined })
    })
    request.on('error', reject)
  })
}

const tooMany = { status: 429, wait: '1' }

test('[SOCKET-1] [SOCKET-2] sockets that have opened nothing are limited by address, whatever the client writes before its proxy', async () => {
  const { from, ask, token } = await open({ unauthenticatedPerAddress: 3 })
  const strangers = [await from('10.0.0.1'), await from('6.6.6.6, 10.0.0.1'), await from('7.7.7.7, 10.0.0.1')]
  expect(await ask('10.0.0.1')).toEqual(tooMany)
  expect(await ask('8.8.8.8, 10.0.0.1')).toEqual(tooMany)
  expect((await ask('10.0.0.1, 10.0.0.2')).status).toBe(101)
  // A socket that has opened a document no longer counts as a stranger.
  await strangers[0]!.authenticate(token)
  await until(async () => (await ask('10.0.0.1')).status === 101, 'there is room')
  await strangers[0]!.sync()
  for (const client of strangers) client.close()
})

test('[SOCKET-2] the sockets of an address are limited, with documents open or not, and there is room when one leaves', async () => {
  const { from, ask, token } = await open({ socketsPerAddress: 3 })
  const clients = [await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.1')]
  for (const client of clients.slice(1)) await client.authenticate(token)
  expect(await ask('10.0.0.1')).toEqual(tooMany)
  expect((await ask('10.0.0.2')).status).toBe(101)
  for (const client of clients.slice(1)) await client.sync()
  clients[2]!.close()
  await until(async () => (await ask('10.0.0.1')).status === 101, 'there is room')
  for (const client of clients) client.close()
})

test('[SOCKET-2] upgrades in a row are limited by address, and a refusal says how long to wait', async () => {
  const { ask } = await open({ upgradesPerAddress: { burst: 4, perSecond: 0.25 } })
  const answers = []
  for (let asked = 0; asked < 8; asked++) answers.push(await ask('10.0.0.1'))
  const statuses = answers.map(({ status }) => status)
  // The remainder of the bucket allows one more.
  expect(statuses.slice(0, 4)).toEqual([101, 101, 101, 101])
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(3)
  for (const { wait } of refused) expect(Number(wait)).toBeGreaterThanOrEqual(1)
  expect((await ask('10.0.0.2')).status).toBe(101)
})

/** Changes of one client, each depending on the previous one. */
function createEdits({ server: { load }, id }: Scene): (text: string) => Uint8Array {
  const doc = load(id)
  return (text) => {
    const before = Y.encodeStateVector(doc)
    firstText(doc).insert(0, text)
    return Y.encodeStateAsUpdate(doc, before)
  }
}

test('[SOCKET-4] a sender of too many frames is read more slowly: all frames arrive, and others notice nothing', async () => {
  const scene = await open({ messages: { burst: 20, perSecond: 20 } })
  const flooder = await scene.from('10.0.0.1')
  await flooder.authenticate(scene.token)
  const ben = await scene.server.signIn('Ben')
  const other = await scene.from('10.0.0.1')
  await other.authenticate(ben.token)
  const [next, bens] = [createEdits(scene), createEdits(scene)]
  const frames = 60
  const began = performance.now()
  for (let sent = 0; sent < frames; sent++) flooder.sendUpdate(next(`${sent} `))
  // Bytes that arrive together are handled together; later bytes wait for as long as all of them should have taken.
  await flooder.acknowledged(frames)
  flooder.sendUpdate(next('last '))
  for (const text of ['one ', 'two ', 'three ']) other.sendUpdate(bens(text))
  await other.acknowledged(3)
  expect(flooder.received.acknowledged).toBe(frames)
  await flooder.acknowledged(frames + 1)
  // Twenty immediately, then twenty a second.
  expect(performance.now() - began).toBeGreaterThan(1800)
  expect(flooder.received.closed).toBeUndefined()
  const text = firstText(scene.server.load(scene.id)).toJSON()
  for (let sent = 0; sent < frames; sent++) expect(text).toContain(`${sent} `)
  for (const client of [flooder, other]) client.close()
})

test('[SOCKET-4] the bytes of an account are counted over all its sockets, from wherever they come', async () => {
  const kibibyte = 1024
  const scene = await open({
    account: { ...defaultSocketLimits.account, bytes: { burst: 64 * kibibyte, perSecond: 32 * kibibyte } },
  })
  const [one, two] = [await scene.from('10.0.0.1'), await scene.from('10.0.0.2')]
  for (const client of [one, two]) await client.authenticate(scene.token)
  const ben = await scene.server.signIn('Ben')
  const other = await scene.from('10.0.0.1')
  await other.authenticate(ben.token)
  const [large, small, bens] = [createEdits(scene), createEdits(scene), createEdits(scene)]
  const began = performance.now()
  one.sendUpdate(large('x'.repeat(128 * kibibyte)))
  await one.acknowledged(1)
  // The first is handled before the wait is known.
  two.sendUpdate(small('a '))
  await two.acknowledged(1)
  two.sendUpdate(small('b '))
  for (const text of ['c ', 'd ', 'e ']) other.sendUpdate(bens(text))
  await other.acknowledged(3)
  expect(two.received.acknowledged).toBe(1)
  await two.acknowledged(2)
  expect(performance.now() - began).toBeGreaterThan(1800)
  for (const client of [one, two, other]) {
    expect(client.received.closed).toBeUndefined()
    client.close()
  }
})

/** Opens a link as a guest; returns the token. */
async function followLink(url: string, link: string, name: string): Promise<string> {
  const path = `/api/links/${link.split('/').at(-1)}`
  const { body } = await callAsNobody(url)<FollowedLink>('POST', path, { name })
  return body.token ?? ''
}

test('[SOCKET-9] guests of one link have a limit of sockets, a lower one at one address; accounts and other links continue', async () => {
  const { account } = defaultSocketLimits
  const socketLimits = { guestsAtAddress: { ...account, sockets: 2 }, guestsByLink: { ...account, sockets: 3 } }
  const started = (server = await startTestServer({ AUTH: 'accounts', TRUST_PROXY: '1' }, { socketLimits }))
  const ana = await signUp(started.url, started.setUpToken, 'Ana')
  const { id } = await started.create(ana, 'start')
  const makeLink = async () =>
    (await ana.call<NewShareLink>('POST', `/api/documents/${id}/links`, { role: 'editor' })).body.url
  const [link, other] = [await makeLink(), await makeLink()]
  const clients: RawDocument[] = []
  const join = async (token: string, address: string): Promise<RawDocument> => {
    const client = await connectRaw(started.url, id, '/collab', { 'x-forwarded-for': address })
    clients.push(client)
    await client.authenticate(token)
    return client
  }
  const opens = async (token: string, address: string) => (await join(token, address)).sync()
  const closes = async (token: string, address: string) => (await (await join(token, address)).closed()).code
  const guest = (name: string, by = link) => followLink(started.url, by, name)
  const [gus, gil] = [await guest('Gus'), await guest('Gil')]
  for (const token of [gus, gil]) await opens(token, '10.0.0.1')
  // A new guest each time, who doesn't use the limits of the link's other guests.
  for (const name of ['Gey', 'Gav']) expect(await closes(await guest(name), '10.0.0.1')).toBe(closeCodes.tooMany)
  await opens(await guest('Gro'), '10.0.0.2')
  expect(await closes(await guest('Gwen'), '10.0.0.3')).toBe(closeCodes.tooMany)
  await opens(await guest('Gert', other), '10.0.0.2')
  for (const address of ['10.0.0.1', '10.0.0.2']) await opens(ana.token, address)
  clients[0]!.close()
  await until(async () => {
    const client = await join(gil, '10.0.0.1')
    void client.sync().catch(() => undefined)
    await until(() => client.received.updates.length > 0 || client.received.closed !== undefined, 'an answer')
    return client.received.closed === undefined
  }, 'there is room')
  for (const client of clients) client.close()
})

test('[SOCKET-8] an address with too many refused tokens is refused, others continue, and a session that ends costs nothing', async () => {
  const refusedTokensPerAddress = { burst: 8, perSecond: 4 }
  const started = (server = await startTestServer(
    { AUTH: 'accounts', TRUST_PROXY: '1' },
    { socketLimits: { refusedTokensPerAddress } },
  ))
  const ana = await signUp(started.url, started.setUpToken, 'Ana')
  const { id } = await started.create(ana, 'start')
  const from = (address: string) => connectRaw(started.url, id, '/collab', { 'x-forwarded-for': address })
  const [stays, guesser] = [await from('10.0.0.1'), await from('10.0.0.1')]
  await stays.authenticate(ana.token)
  // The server closes windows whose session has ended with 4401; this doesn't count against the client.
  const windows = []
  for (let opened = 0; opened < 3; opened++) {
    const again = await signInAgain(started.url, ana)
    const client = await from('10.0.0.1')
    await client.authenticate(again.token)
    await again.call('POST', '/api/auth/sign-out', {})
    expect((await client.closed()).code).toBe(closeCodes.unauthenticated)
    windows.push(again.token)
  }
  // Each window asks once more, as a page does.
  for (const token of windows) {
    const client = await from('10.0.0.1')
    await client.authenticate(token)
    expect(client.received).toMatchObject({ denied: ['unauthenticated'], closed: undefined })
    client.close()
  }
  const began = performance.now()
  let guesses = 0
  for (; guesses < 200 && guesser.received.closed === undefined; guesses++)
    await guesser.authenticate(`guess ${guesses}`)
  expect((await guesser.closed()).code).toBe(closeCodes.tooMany)
  const looks = guesser.received.denied.length
  // The remaining tokens, and those added since.
  expect(looks).toBeLessThanOrEqual(8 + Math.ceil(((performance.now() - began) * 4) / 1000) + 1)
  expect(looks).toBeGreaterThanOrEqual(5)
  const stranger = await from('10.0.0.1')
  await stranger.authenticate(ana.token)
  // Not checked, unless the debt is paid back by now.
  if (stranger.received.closed) expect(stranger.received).toMatchObject({ authenticated: 0, denied: [] })
  const elsewhere = await from('10.0.0.2')
  await elsewhere.authenticate(ana.token)
  for (const client of [stays, elsewhere]) await client.sync()
  await until(async () => {
    const client = await from('10.0.0.1')
    await client.authenticate(ana.token)
    client.close()
    return client.received.authenticated === 1
  }, 'the address has paid')
  for (const client of [stays, stranger, elsewhere]) client.close()
})

test('[SOCKET-3] one socket too many for an account is closed with 4429, and the others continue', async () => {
  const { server, id, token } = await open({ account: { ...defaultSocketLimits.account, sockets: 4 } })
  const clients = []
  for (let count = 0; count < 4; count++) clients.push(await connectRaw(server.url, id))
  for (const client of clients) await client.authenticate(token)
  const more = await connectRaw(server.url, id)
  await more.authenticate(token)
  expect((await more.closed()).code).toBe(closeCodes.tooMany)
  await clients[0]!.sync()
  clients[1]!.close()
  await until(async () => {
    const again = await connectRaw(server.url, id)
    await again.authenticate(token)
    await again.sync().catch(() => undefined)
    const isIn = again.received.closed === undefined
    again.close()
    return isIn
  }, 'there is room again')
  for (const client of clients) client.close()
})
