import type { ErrorBody } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let token: string
let path: string

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  server = await startTestServer()
  const ana = await server.signIn('Ana')
  token = ana.token
  path = `/api/documents/${(await server.create(ana, 'text')).id}/images`
})
afterAll(() => server.dispose())

const form = 'multipart/form-data; boundary=edge'
const end = '--edge--\r\n'

function part(headers: string, body: Uint8Array | string = png): Buffer {
  return Buffer.concat([Buffer.from(`--edge\r\n${headers}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')])
}

const file = (name = 'file', body: Uint8Array | string = png): Buffer =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png`, body)
const field = (name: string, value: string): Buffer => part(`Content-Disposition: form-data; name="${name}"`, value)

async function send(body: (Uint8Array | string)[], type = form) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: Buffer.concat(body.map((piece) => Buffer.from(piece))),
  })
  const { error } = (await response.json()) as Partial<ErrorBody>
  return { status: response.status, code: error?.code, message: error?.message ?? '' }
}

const invalid = { status: 400, code: 'invalid_input', message: expect.stringMatching(/\S/) as string }
const tooLarge = { ...invalid, status: 413, code: 'too_large' }
const headerBomb = Array.from({ length: 5000 }, (_, index) => `X-${index}: ${'x'.repeat(100)}`).join('\r\n')
const longHeader = `X-Long: ${'x'.repeat(200_000)}`

const malformed: Record<string, [body: (Uint8Array | string)[], type?: string]> = {
  'no boundary': [[file(), end], 'multipart/form-data'],
  'an empty boundary': [[file(), end], 'multipart/form-data; boundary='],
  'a boundary that never comes': [[file(), end], 'multipart/form-data; boundary=other'],
  nothing: [[]],
  'no form at all': [['this is no form']],
  'only its end': [[end]],
  'cut in a part': [[file().subarray(0, 120)]],
  'cut in the headers of a part': [[file().subarray(0, 40)]],
  'cut after a part': [[file()]],
  'no disposition': [[part('Content-Type: image/png'), end]],
  'no headers': [[part(''), end]],
  'headers that are none': [[part('\u0000\u0001 nonsense'), end]],
  'a bomb of headers': [[part(`${headerBomb}\r\nContent-Disposition: form-data; name="file"; filename="a"`), end]],
  'a long header': [[part(`${longHeader}\r\nContent-Disposition: form-data; name="file"; filename="a"`), end]],
  'no file': [[field('other', 'text'), end]],
  'a field in place of the file': [[field('file', 'text'), end]],
  'a file of another name': [[file('picture'), end]],
  'two files': [[file(), file(), end]],
  'a second file of another name': [[file(), file('other'), end]],
  'many fields': [[...Array.from({ length: 50 }, (_, index) => field(`f${index}`, 'x')), file(), end]],
  'a large field': [[field('note', 'x'.repeat(2_000_000)), file(), end]],
  'a field of a long name': [[field('n'.repeat(1000), 'x'), file(), end]],
  'a field that should be JSON': [
    [part('Content-Disposition: form-data; name="a"\r\nContent-Type: application/json', '{'), file(), end],
  ],
  'a name of every object': [[file('__proto__'), end]],
  'a field with a name of every object': [[field('constructor', 'x'), file(), end]],
}

test.each(Object.entries(malformed))('[BAD-64] a form with %s is refused with 400', async (_, [body, type]) => {
  expect(await send(body, type)).toEqual(invalid)
})

test('[BAD-64] what is no form is 415, whatever it is', async () => {
  for (const type of ['multipart/mixed; boundary=edge', 'application/octet-stream', 'image/png', 'x']) {
    expect(await send([file(), end], type), type).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  }
})

test('[BAD-64] a file that is too large is 413, a form as it should be is taken, and nothing of all this is an error of the server', async () => {
  expect(await send([file('file', Buffer.alloc(11 * 1024 * 1024)), end])).toEqual(tooLarge)
  expect(await send([field('note', 'x'), file(), end])).toMatchObject({ status: 201 })
  expect(await send([file(), end])).toMatchObject({ status: 201 })
  expect(server.logged()).toBe('')
})
