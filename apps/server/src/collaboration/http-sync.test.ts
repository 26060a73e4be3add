import { connect, type Socket } from 'node:net'
import type { ErrorBody } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { firstText, startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.dispose())

async function open(markdown = 'start') {
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, markdown)
  return { ana, id }
}

async function post(id: string, body: Uint8Array, token?: string, type = 'application/octet-stream') {
  const headers = { 'content-type': type, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${server.url}/api/documents/${id}/updates`, {
    method: 'POST',
    headers,
    body: Uint8Array.from(body),
  })
  const text = await response.text()
  return { status: response.status, error: text === '' ? undefined : (JSON.parse(text) as ErrorBody).error }
}

/** Little text, and a link of the maximum length. */
function linkedParagraph(): Y.XmlElement {
  const [paragraph, text] = [new Y.XmlElement('paragraph'), new Y.XmlText()]
  text.insert(0, 'a link', { link: { href: `https://example.org/${'x'.repeat(1980)}`, title: null } })
  paragraph.insert(0, [text])
  return paragraph
}

/** A copy that was edited offline. */
function away(id: string, change: (doc: Y.Doc) => void): Y.Doc {
  const doc = server.load(id)
  change(doc)
  return doc
}

test('[COLLAB-10] what is too large for a frame is taken by HTTP, and open clients see it', async () => {
  const { ana, id } = await open()
  const reader = await server.join(ana.token, id)
  const long = 'a long time offline '.repeat(40_000)
  const doc = away(id, (copy) => {
    firstText(copy).insert(0, long)
    copy.getXmlFragment('default').push(Array.from({ length: 9000 }, linkedParagraph))
  })
  const update = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(server.load(id)))
  expect(update.byteLength).toBeGreaterThan(16 * 1024 * 1024)
  expect(await post(id, update, ana.token)).toEqual({ status: 204, error: undefined })
  const rows = server.rows(id)
  expect(rows.at(-1)).toMatchObject({ actor: ana.user.id, run: null })
  expect(firstText(server.load(id)).toJSON()).toBe(`${long}start`)
  await until(() => reader.text().toJSON() === `${long}start`, 'the reader sees it')
  // Sent again, as after a lost answer, it contains nothing new.
  expect((await post(id, update, ana.token)).status).toBe(204)
  expect(server.rows(id)).toHaveLength(rows.length)
  reader.close()
})

test('[COLLAB-10] of a whole state only the new part is logged, also while nobody has the document open', async () => {
  const { ana, id } = await open('word '.repeat(20_000))
  const doc = away(id, (copy) => firstText(copy).insert(0, 'new '))
  expect((await post(id, Y.encodeStateAsUpdate(doc), ana.token)).status).toBe(204)
  expect(server.rows(id).at(-1)?.bytes.byteLength).toBeLessThan(200)
  expect(firstText(server.load(id)).toJSON()).toMatch(/^new word/)
})

test('[COLLAB-10] a mention in it starts its run, once', async () => {
  const { ana, id } = await open('ask')
  const doc = away(id, (copy) => {
    const mention = new Y.XmlElement('mention')
    const fields = { id: 'agent', label: 'agent', kind: 'agent', requestId: 'from-afar', state: 'sent' }
    for (const [name, value] of Object.entries(fields)) mention.setAttribute(name, value)
    const block = copy.getXmlFragment(contentTypes.fragment).get(0)
    if (block instanceof Y.XmlElement) block.insert(1, [mention])
  })
  const update = Y.encodeStateAsUpdate(doc)
  const [first, second] = await Promise.all([post(id, update, ana.token), post(id, update, ana.token)])
  expect([first.status, second.status]).toEqual([204, 204])
  const runs = server.file.prepare('SELECT * FROM runs WHERE document = ?').all(id)
  expect(runs).toHaveLength(1)
})

test('[COLLAB-11] a body that is no update, has a gap or writes a receipt is refused, and nothing is logged', async () => {
  const { ana, id } = await open()
  const before = server.rows(id).length
  const noise = Uint8Array.from({ length: 200 }, (_, index) => (index * 31 + 7) % 256)
  expect(await post(id, noise, ana.token)).toMatchObject({ status: 400, error: { code: 'invalid_input' } })
  expect((await post(id, new Uint8Array(), ana.token)).status).toBe(400)

  const ahead = away(id, (copy) => firstText(copy).insert(0, 'first '))
  const known = Y.encodeStateVector(ahead)
  firstText(ahead).insert(0, 'second ')
  expect(await post(id, Y.encodeStateAsUpdate(ahead, known), ana.token)).toMatchObject({
    status: 409,
    error: { code: 'conflict', hint: expect.stringContaining('state vector') },
  })
  const receipt = away(id, (copy) => copy.getMap(contentTypes.receipts).set('mine', 1))
  expect((await post(id, Y.encodeStateAsUpdate(receipt), ana.token)).status).toBe(400)
  expect(server.rows(id)).toHaveLength(before)
})

test('[COLLAB-11] above 64 MiB, of another type, without a session or for no document it is refused', async () => {
  const { ana, id } = await open()
  const update = Y.encodeStateAsUpdate(away(id, (copy) => firstText(copy).insert(0, 'x')))
  expect(await post(id, new Uint8Array(64 * 1024 * 1024 + 1), ana.token)).toMatchObject({
    status: 413,
    error: { code: 'too_large' },
  })
  expect((await post(id, update, ana.token, 'text/plain')).status).toBe(415)
  expect((await post(id, update)).status).toBe(401)
  expect((await post('nowhere', update, ana.token)).status).toBe(404)
  expect(firstText(server.load(id)).toJSON()).toBe('start')
})

/** Sends the head of a request whose large body never follows; `answer` returns the response. */
function beginLarge(id: string, token?: string): { socket: Socket; answer: () => string } {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  socket.write(
    `POST /api/documents/${id}/updates HTTP/1.1\r\nHost: localhost\r\n${authorization}` +
      'Content-Type: application/octet-stream\r\nContent-Length: 60000000\r\n\r\n',
  )
  return { socket, answer: () => answer }
}

test('[COLLAB-14] a caller without write access is refused before the body has arrived; four uploads of a person run at once', async () => {
  const { ana, id } = await open()
  const stranger = beginLarge(id)
  await until(() => stranger.answer() !== '', 'it is answered')
  expect(stranger.answer()).toMatch(/^HTTP\/1.1 401 /)
  const known = Y.encodeStateAsUpdate(server.load(id))
  const sent = async (): Promise<number> => (await post(id, known, ana.token)).status
  const large = Array.from({ length: 5 }, () => beginLarge(id, ana.token))
  await until(() => large.some(({ answer }) => answer() !== ''), 'one is turned away')
  const [turnedAway, ...others] = large.toSorted((a, b) => b.answer().length - a.answer().length)
  expect(turnedAway?.answer()).toMatch(/^HTTP\/1.1 429 /)
  expect(others.map(({ answer }) => answer())).toEqual(['', '', '', ''])
  expect(await sent()).toBe(429)
  const ben = await server.signIn('Ben')
  expect((await post(id, known, ben.token)).status).toBe(204)
  others[0]?.socket.destroy()
  await until(async () => (await sent()) === 204, 'one is taken again')
})
