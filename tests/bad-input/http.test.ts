import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { openScene, type Scene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})

afterAll(() => scene.close())

type Refusal = { status: number; code: string | undefined; message: string | undefined }

/** Sends a request as it is, and reads the error in its answer. */
async function send(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Refusal> {
  const response = await fetch(scene.url + path, {
    method,
    headers: { authorization: `Bearer ${scene.person.token}`, ...(body === undefined ? {} : headers) },
    ...(body === undefined ? {} : { body }),
  })
  return readRefusal(response.status, await response.text())
}

function readRefusal(status: number, text: string): Refusal {
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  const { error } = parsed as { error?: { code?: string; message?: string } }
  return { status, code: error?.code, message: error?.message }
}

const refused = (status: number, code: string): Refusal => ({
  status,
  code,
  message: expect.stringMatching(/\S/) as string,
})

const invalid = refused(400, 'invalid_input')

/** Sends a path as it is, which `fetch` would tidy up. */
function sendPath(path: string, method = 'GET'): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: scene.server.port,
        path,
        method,
        headers: { authorization: `Bearer ${scene.person.token}` },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(readRefusal(response.statusCode ?? 0, Buffer.concat(chunks).toString())))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** Writes bytes to the server's port and returns the response until the server closed the connection. */
async function sendBytes(text: string, ms = 15_000): Promise<string> {
  const socket = connect(scene.server.port, '127.0.0.1')
  const chunks: Buffer[] = []
  let isOver = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => (isOver = true))
  socket.write(text)
  await until(() => isOver, 'the server hangs up', ms)
  return Buffer.concat(chunks).toString()
}

const routesWithBody: [string, () => string][] = [
  ['POST', () => '/api/session'],
  ['POST', () => '/api/documents'],
  ['PATCH', () => `/api/documents/${scene.id}`],
  ['POST', () => `/api/documents/${scene.id}/messages`],
]

test('[BAD-50] a body of 12 MB is refused with 413, which reaches who is still sending it, and one of 20 MB too', async () => {
  const body = (bytes: number): string =>
    JSON.stringify({ name: 'Ana', text: 'x', title: 'x', markdown: 'x'.repeat(bytes) })
  for (const [method, path] of routesWithBody) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${scene.person.token}` }
    const sent = await fetch(`${scene.server.url}${path()}`, { method, headers, body: body(12_000_000) })
    // A connection that is closed at once takes the answer with it.
    expect([sent.status, sent.headers.get('connection')]).toEqual([413, null])
    await sent.arrayBuffer()
    const answer = await send(method, path(), body(20_000_000)).catch(() => 'hung up')
    // The server closes the connection while the rest is still being sent; the client then may never get to read the
    // answer.
    if (answer !== 'hung up') expect(answer).toEqual(refused(413, 'too_large'))
  }
  const head = `POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 20000000\r\nAuthorization: Bearer ${scene.person.token}\r\nConnection: close\r\n\r\n{`
  const answer = await sendBytes(head)
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  expect(answer).toContain('"too_large"')
  await scene.expectUsersUnaffected()
})

test('[BAD-62] a large body without a session is refused before it has arrived, whatever its declared size', async () => {
  for (const size of ['Content-Length: 9000000', 'Transfer-Encoding: chunked']) {
    for (const path of ['/api/documents', '/api/session', '/api/auth/sign-in']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${size}\r\nConnection: close\r\n\r\n`
      expect(await sendBytes(head), `${path} ${size}`).toMatch(/^HTTP\/1.1 401 /)
    }
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-63] a person has so many large bodies on their way at once; others, and small ones, are let in', async () => {
  const head = `POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\nAuthorization: Bearer ${scene.person.token}\r\n\r\n{`
  const answers: string[] = []
  const sockets = Array.from({ length: 30 }, () => {
    const socket = connect(scene.server.port, '127.0.0.1', () => socket.write(head))
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => answers.push(chunk.toString().split('\r\n')[0] ?? ''))
    return socket
  })
  // 26 of them are 260 MB.
  await until(() => answers.length === 4, 'what is too much is refused')
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 429 Too Many Requests']))
  const markdown = 'x'.repeat(100_000)
  const create = (): Promise<Refusal> => send('POST', '/api/documents', JSON.stringify({ title: 'small', markdown }))
  await scene.expectUsersUnaffected()
  for (const socket of sockets) socket.destroy()
  await until(async () => (await create()).status === 201, 'there is room again')
  await scene.expectUsersUnaffected()
})

test('[BAD-51] a body that is no JSON is refused with 400', async () => {
  for (const [method, path] of routesWithBody) {
    for (const body of ['{', '', 'nonsense', '{"name": undefined}', '\u0000', '{"a":1}}', '['.repeat(100_000)]) {
      expect(await send(method, path(), body), `${path()} ${body.slice(0, 20)}`).toEqual(invalid)
    }
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-52] a body of another content type is refused with 415', async () => {
  const body = JSON.stringify({ name: 'Ana', text: 'x', title: 'x' })
  for (const [method, path] of routesWithBody) {
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'x',
    ]) {
      expect(await send(method, path(), body, { 'content-type': type }), `${path()} ${type}`).toEqual(
        refused(415, 'unsupported_media_type'),
      )
    }
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-53] text/plain, which another site may send without asking, is not read', async () => {
  for (const [method, path] of routesWithBody) {
    const answer = await send(method, path(), '{"name":"x","text":"x","title":"x"}', { 'content-type': 'text/plain' })
    expect([400, 415], path()).toContain(answer.status)
    expect(answer.message).toMatch(/\S/)
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-54] bodies of another shape are refused with 400', async () => {
  for (const [method, path] of routesWithBody) {
    for (const body of ['null', '[]', '5', '"text"', 'true']) {
      expect(await send(method, path(), body), `${path()} ${body}`).toEqual(invalid)
    }
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-55] fields of the wrong type, too long or empty are refused with 400 and the field is named', async () => {
  const messages = `/api/documents/${scene.id}/messages`
  const position = Buffer.from([0]).toString('base64')
  const wrong: [string, string, string, unknown][] = [
    ['POST', '/api/session', 'name', {}],
    ...[5, null, '', '   ', 'x'.repeat(10_000), 'a\u0000b', 'a\nb', ['Ana'], { a: 1 }].map(
      (name): [string, string, string, unknown] => ['POST', '/api/session', 'name', { name }],
    ),
    ...[5, null, 'x'.repeat(301), ['x'], {}].map((title): [string, string, string, unknown] => [
      'POST',
      '/api/documents',
      'title',
      { title },
    ]),
    ...[5, null, ['x'], {}].map((markdown): [string, string, string, unknown] => [
      'POST',
      '/api/documents',
      'markdown',
      { markdown },
    ]),
    ...[5, null, '', '  ', 'x'.repeat(301), []].map((title): [string, string, string, unknown] => [
      'PATCH',
      `/api/documents/${scene.id}`,
      'title',
      { title },
    ]),
    ['PATCH', `/api/documents/${scene.id}`, 'agentMode', { agentMode: 'Edit' }],
    ['PATCH', `/api/documents/${scene.id}`, 'agentMode', { agentMode: 1 }],
    ...[5, null, '', '  ', ['x'], {}].map((text): [string, string, string, unknown] => [
      'POST',
      messages,
      'text',
      { text },
    ]),
    ['POST', messages, 'mode', { text: 'x', mode: 'chaos' }],
    ['POST', messages, 'selection', { text: 'x', selection: 'all' }],
    ['POST', messages, 'selection', { text: 'x', selection: { anchor: position } }],
    ['POST', messages, 'selection', { text: 'x', selection: { anchor: 5, head: 6 } }],
    ['POST', messages, 'selection', { text: 'x', selection: { anchor: '%%%', head: '%%%' } }],
    ['POST', messages, 'selection', { text: 'x', selection: { anchor: '////', head: '////' } }],
    ['POST', messages, 'selection', { text: 'x', selection: { anchor: '', head: '' } }],
  ]
  const accepted: string[] = []
  for (const [method, path, field, body] of wrong) {
    const answer = await send(method, path, JSON.stringify(body))
    const isRefused = answer.status === 400 && answer.code === 'invalid_input' && answer.message?.includes(field)
    if (!isRefused) accepted.push(`${method} ${path} ${JSON.stringify(body).slice(0, 80)}: ${JSON.stringify(answer)}`)
  }
  expect(accepted).toEqual([])
  await scene.expectUsersUnaffected()
})

test('[BAD-56] a message of a megabyte is refused', async () => {
  const answer = await send(
    'POST',
    `/api/documents/${scene.id}/messages`,
    JSON.stringify({ text: 'x '.repeat(500_000) }),
  )
  expect([400, 413]).toContain(answer.status)
  expect(answer.message).toMatch(/\S/)
  await scene.expectUsersUnaffected()
})

test('[BAD-57] wrong query parameters are refused with 400', async () => {
  const paths = [
    `/api/documents?query=${'x'.repeat(3000)}`,
    '/api/documents?trash=perhaps',
    '/api/documents?cursor=nonsense',
    `/api/documents?cursor=${Buffer.from('{"a":1}').toString('base64url')}`,
    `/api/documents?cursor=${'x'.repeat(3000)}`,
    '/api/documents?query=a&query=b',
    `/api/documents/${scene.id}/export?format=exe`,
    `/api/documents/${scene.id}/export?format=`,
    `/api/documents/${scene.id}/messages?before=nonsense`,
  ]
  const accepted: string[] = []
  for (const path of paths) {
    const answer = await send('GET', path)
    const isRefused = answer.status === 400 && answer.code === 'invalid_input'
    if (!isRefused) accepted.push(`${path.slice(0, 70)}: ${answer.status} ${answer.code}`)
  }
  expect(accepted).toEqual([])
  await scene.expectUsersUnaffected()
})

test('[BAD-58] tricks in the path find no file and no document of that name', async () => {
  const paths = [
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/api/../../package.json',
    '/api/documents/..%2f..%2fme',
    '/api/documents/%00',
    '/api/documents/%2e%2e',
    '/api/documents/%E0%A4%A',
    '/api/documents/%ff%fe',
    `/api/documents/${'x'.repeat(5000)}`,
    "/api/documents/'%20or%201=1",
    '/api/documents/__proto__',
    `/api/documents/${scene.id}%2froom`,
    `/api/documents/${scene.id}%2froom/export`,
    `/api/documents/${scene.id}/runs/..`,
    `/api/documents/${scene.id}/runs/%00`,
    '/api/nowhere',
  ]
  const wrong: string[] = []
  for (const path of paths) {
    const { status, code } = await sendPath(path)
    const isRefused = [400, 404, 414].includes(status) && ['invalid_input', 'not_found'].includes(code ?? '')
    if (!isRefused) wrong.push(`${path.slice(0, 70)}: ${status} ${code}`)
  }
  expect(wrong).toEqual([])
  await scene.expectUsersUnaffected()
})

test('[BAD-59] methods that a route does not have are refused', async () => {
  for (const [method, path] of [
    ['DELETE', '/api/session'],
    ['PUT', '/api/documents'],
    ['POST', '/api/me'],
    ['POST', `/api/documents/${scene.id}`],
    ['DELETE', `/api/documents/${scene.id}/messages`],
    ['TRACE', '/api/me'],
  ] as const) {
    const answer = await sendPath(path, method)
    expect([404, 405], `${method} ${path}`).toContain(answer.status)
    expect(answer.message, `${method} ${path}`).toMatch(/\S/)
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-60] what is no HTTP at all is answered with 400 or hung up on', async () => {
  const header = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`
  for (const text of ['\u0016\u0003\u0001\u0002\u0000', 'HELLO\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', header]) {
    expect(await sendBytes(text)).toMatch(/^(HTTP\/1.1 4\d\d |$)/)
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-61] markdown that nests as deep as it can is served or refused, and others continue meanwhile', async () => {
  for (const markdown of [
    '> '.repeat(20_000) + 'deep',
    '- '.repeat(20_000),
    '['.repeat(50_000),
    '*a '.repeat(50_000),
  ]) {
    const answer = await send('POST', '/api/documents', JSON.stringify({ markdown }))
    expect([201, 400, 413], markdown.slice(0, 4)).toContain(answer.status)
    if (answer.status !== 201) expect(answer.message).toMatch(/\S/)
  }
  await scene.expectUsersUnaffected()
})
