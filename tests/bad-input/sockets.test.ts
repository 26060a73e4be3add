import { connect, type Socket } from 'node:net'
import { closeCodes } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { authFrame, randomBytes, seededRandom, syncFrame, until } from '@copydesk/testing'
import { join } from '../support/client.ts'
import { heldMemoryOf, inspected } from '../support/heap.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene(inspected)
})

afterAll(() => scene.close())

/** A TCP connection to the server that leaves when the test is over. */
function dial(): Socket {
  const socket = connect(scene.server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** The upgrade request for a WebSocket at a path. */
function upgradeRequest(target: string, headers = ''): string {
  return (
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${scene.server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`
  )
}

/**
 * Requests a WebSocket and returns the first line of the response; an empty one if the server closed the connection.
 */
async function upgrade(target: string, headers = ''): Promise<string> {
  const socket = dial()
  let answer = ''
  let isOver = false
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.on('close', () => (isOver = true))
  socket.write(upgradeRequest(target, headers))
  await until(() => isOver || answer.includes('\r\n'), 'the server answers')
  return answer.split('\r\n')[0] ?? ''
}

test('[BAD-70] a message of 20 MB ends its connection with 1009', async () => {
  const attacker = await scene.openAttacker()
  const doc = new Y.Doc()
  doc.getText('scratch').insert(0, 'x'.repeat(20_000_000))
  attacker.send(syncFrame(scene.id, 2, Y.encodeStateAsUpdate(doc)))
  expect((await attacker.whenClosed()).code).toBe(1009)
  expect(attacker.acknowledgements()).toBe(0)
  await scene.expectUsersUnaffected()
})

test('[BAD-71] 20 MB in fragments, and before the token, end their connection too', async () => {
  const attacker = await scene.openAttacker()
  const piece = randomBytes(1024 * 1024, seededRandom(71))
  for (let index = 0; index < 20; index++) attacker.socket.send(piece, { fin: index === 19 })
  expect((await attacker.whenClosed()).code).toBe(1009)
  const unauthenticated = await scene.openUnauthenticated()
  unauthenticated.send(authFrame(scene.id, scene.person.token))
  for (let index = 0; index < 20; index++) unauthenticated.send(syncFrame(scene.id, 2, piece))
  expect([4400, 4413]).toContain((await unauthenticated.whenClosed()).code)
  await scene.expectUsersUnaffected()
})

test('[BAD-72] the 101st document on one socket is refused, and the others stay', async () => {
  const ids: string[] = []
  for (let index = 0; index < 101; index++) ids.push((await scene.person.create({ markdown: `Text ${index}` })).id)
  const attacker = await scene.openUnauthenticated()
  for (const id of ids.slice(0, 100)) expect(await attacker.authenticate(id, scene.person.token)).toBe('authenticated')
  expect(await attacker.authenticate(ids[100] ?? '', scene.person.token)).toBe('too_many_documents')
  expect(attacker.closed()).toBeUndefined()
  await scene.expectUsersUnaffected()
})

test('[BAD-73] a token that is sent again and again for an open document changes nothing', async () => {
  const attacker = await scene.openAttacker()
  for (let index = 0; index < 500; index++)
    attacker.send(authFrame(scene.id, index % 2 === 0 ? 'wrong' : scene.person.token))
  await attacker.settled(scene.id)
  expect(attacker.closed()).toBeUndefined()
  await scene.expectUsersUnaffected()
})

test('[BAD-74] a socket that never sends a token is closed with 4401', async () => {
  const unauthenticated = await scene.openUnauthenticated()
  await until(() => unauthenticated.closed() !== undefined, 'the server closes the socket')
  expect(unauthenticated.closed()).toEqual({ code: 4401, reason: expect.stringMatching(/\S/) as string })
  await scene.expectUsersUnaffected()
})

test('[BAD-75] 50 half-open sockets that say nothing, or half of something, hold nobody up', async () => {
  const beginnings = [
    '',
    'GET',
    'GET /collab HTTP/1.1\r\nHost: 127.0.0.1\r\n',
    'POST /api/session HTTP/1.1\r\nContent-Length: 50\r\n\r\n{',
  ]
  const sockets = Array.from({ length: 48 }, (_, index) => {
    const socket = dial()
    socket.write(beginnings[index % beginnings.length]!)
    return socket
  })
  await until(() => sockets.every(({ connecting }) => !connecting), 'all are connected')
  await scene.expectUsersUnaffected()
  for (const socket of sockets) socket.resetAndDestroy()
  await scene.expectUsersUnaffected()
})

test('[SOCKET-5] [BAD-76] a client that reads nothing costs no more memory than its limit, holds nobody up, and is asked to reconnect', async () => {
  const { id } = await scene.person.create({ markdown: 'Start' })
  const writer = await join(scene.url, scene.person.token, id)
  onTestFinished(() => writer.close())
  const attacker = await scene.openAttacker(id)
  await attacker.settled(id)
  attacker.socket.pause()
  const paragraph = { bytes: 512 * 1024, count: 100 }
  const before = await heldMemoryOf(scene.server)
  for (let count = 0; count < paragraph.count; count++) {
    // Each replaces the one before, so that the document itself stays small.
    writer.doc.transact(() => {
      const element = new Y.XmlElement('paragraph')
      element.insert(0, [new Y.XmlText('x'.repeat(paragraph.bytes))])
      writer.fragment.delete(0, writer.fragment.length)
      writer.fragment.insert(0, [element])
    })
    await writer.saved()
    if (count % 25 === 0) await scene.expectUsersUnaffected()
  }
  const held = (await heldMemoryOf(scene.server)) - before
  const sent = paragraph.bytes * paragraph.count
  // 16 MiB may wait for one client, and the system buffers some more.
  expect(held / sent, `${held} bytes are held`).toBeLessThan(0.5)
  const read = attacker.frames.length
  attacker.socket.resume()
  // On a slow machine the client, which has read nothing for ten seconds, is disconnected by now.
  expect([closeCodes.resync, 1006]).toContain((await attacker.whenClosed()).code)
  expect(attacker.frames.length - read).toBeLessThan(paragraph.count)
  await scene.expectUsersUnaffected()
})

test('[BAD-77] half of a WebSocket frame, and then a reset, harm nobody', async () => {
  for (const half of [Buffer.from([0x82]), Buffer.from([0x82, 0xff, 0, 0, 0, 0]), Buffer.from([0xff, 0xff, 0xff])]) {
    const socket = dial()
    let isUpgraded = false
    socket.on('data', () => (isUpgraded = true))
    socket.write(upgradeRequest('/collab'))
    await until(() => isUpgraded, 'the socket is upgraded')
    socket.write(half)
    await scene.expectUsersUnaffected()
    socket.resetAndDestroy()
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-78] frames that break the WebSocket protocol end their connection with a code of the standard', async () => {
  const frames: [number, Buffer][] = [
    [1002, Buffer.from([0x02, 0x01, 0x00])],
    [1002, Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    [1002, Buffer.from([0xf2, 0x80, 0, 0, 0, 0])],
    [1007, Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
  ]
  for (const [code, bytes] of frames) {
    const socket = dial()
    const chunks: Buffer[] = []
    let isOver = false
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => (isOver = true))
    socket.write(upgradeRequest('/collab'))
    await until(() => chunks.length > 0, 'the socket is upgraded')
    socket.write(bytes)
    const closeFrame = Buffer.from([code >> 8, code & 255])
    await until(() => isOver || Buffer.concat(chunks).includes(closeFrame), 'the server closes the socket')
    expect(Buffer.concat(chunks).includes(closeFrame), `${code}`).toBe(true)
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-79] a WebSocket at another path, or from another site, is refused', async () => {
  for (const path of ['/', '/api/me', '/collab/x', '/COLLAB', '/healthz']) {
    expect(await upgrade(path), path).toMatch(/^HTTP\/1.1 4\d\d /)
  }
  expect(await upgrade('/collab', 'Origin: https://evil.example\r\n')).toMatch(/^HTTP\/1.1 403 /)
  expect(await upgrade('/collab', 'Origin: null\r\n')).toMatch(/^HTTP\/1.1 403 /)
  await scene.expectUsersUnaffected()
})

test('[BAD-83] a request that offers another protocol, as curl --http2 does, is answered as the plain request it is', async () => {
  const socket = dial()
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.write(
    'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
  )
  await until(() => answer.includes('\r\n'), 'the server answers')
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
})

test('[BAD-80] tricks in the parameters of /collab are refused or ignored', async () => {
  for (const query of [
    '?schemaVersion=',
    '?schemaVersion=NaN',
    '?schemaVersion=-1',
    '?schemaVersion=1e99',
    '?schemaVersion=1&schemaVersion=2',
  ]) {
    const unauthenticated = await scene.openUnauthenticated(`${query}&document=${scene.id}`)
    const answer = await unauthenticated.authenticate(scene.id, scene.person.token)
    expect(['schema_outdated', 'authenticated'], query).toContain(answer)
  }
  for (const query of ['?document=../x', '?document=%00', '?%', '?a=%E0%A4%A', `?x=${'x'.repeat(8000)}`]) {
    const unauthenticated = await scene.openUnauthenticated(query)
    expect(unauthenticated.socket.readyState, query.slice(0, 20)).toBe(WebSocket.OPEN)
  }
  await scene.expectUsersUnaffected()
})

test.for(['/collab', '/elsewhere'])(
  '[BAD-81] 300 requests for a WebSocket at %s whose sockets are reset at once harm nobody',
  async (target) => {
    const own = await openScene()
    onTestFinished(() => own.close())
    for (let index = 0; index < 300; index++) {
      const socket = connect(own.server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.on('connect', () => socket.write(upgradeRequest(target), () => socket.resetAndDestroy()))
    }
    await own.expectUsersUnaffected()
    expect(own.server.output()).not.toContain('ECONNRESET')
  },
)

// These come last: if they end the process, the tests above have already run.
test.for([
  '//',
  '///',
  'http://[',
  '//user:secret@host/collab',
  '//user:secret@localhost/collab',
  '//user@localhost/collab',
  '/\\:@localhost/collab',
  '//localhost:80/collab',
  '//localhost/collab',
  'http://user:secret@host/collab',
  'http://:/collab',
  '/\\',
  '/\\[',
  '*',
  'collab',
])('[BAD-82] a request for a WebSocket at %s is refused, and the process lives on', async (target) => {
  expect(await upgrade(target)).toMatch(/^HTTP\/1.1 4\d\d /)
  await scene.expectUsersUnaffected()
})
