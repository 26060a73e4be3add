import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '@copydesk/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { createGuardedFetch } from '../web/guarded-fetch.ts'
import { imageLimit, Images } from './images.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

let directory: string
let context: TestStore
let origin: Server | undefined

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'copydesk-images-'))
  context = await openTestStore()
})
afterEach(async () => {
  origin?.closeAllConnections()
  await new Promise((resolve) => (origin ? origin.close(resolve) : resolve(undefined)))
  origin = undefined
  rmSync(directory, { recursive: true, force: true })
  await context.dispose()
})

async function serve(listener: RequestListener): Promise<string> {
  const made = createServer(listener)
  origin = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`
}

function openImages(isAllowed?: (address: string) => boolean): Images {
  let next = 0
  const { images: quota } = context.storage
  const fetch = createGuardedFetch(isAllowed ? { isAllowed } : {})
  return new Images({ directory, quota, createId: () => `part-${next++}`, fetch })
}

test('[IMG-1] an image is stored once under what is in it, and read back', async () => {
  const images = openImages()
  const first = await images.store('doc', png, 'ana')
  expect(first).toMatchObject({
    ok: true,
    url: expect.stringMatching(/^\/api\/documents\/doc\/images\/[0-9a-f]{32}\.png$/),
  })
  expect(await images.store('doc', png, 'ana')).toEqual(first)
  expect(readdirSync(join(directory, 'doc'))).toHaveLength(1)
  const name = first.ok ? (first.url.split('/').at(-1) ?? '') : ''
  expect(await images.read('doc', name)).toEqual({ bytes: png, type: 'image/png' })
  expect(await images.read('doc', `../doc/${name}`)).toBeUndefined()
  expect(await images.read('other', name)).toBeUndefined()
})

test('[IMG-1] one that can’t be stored leaves nothing', async () => {
  const images = openImages()
  const stored = await images.store('doc', png, 'ana')
  const name = stored.ok ? (stored.url.split('/').at(-1) ?? '') : ''
  mkdirSync(join(directory, 'other', name), { recursive: true })
  await expect(images.store('other', png, 'ana')).rejects.toThrow('EISDIR')
  expect(readdirSync(join(directory, 'other'))).toEqual([name])
})

test.each([
  ['SVG', Buffer.from(svg), 'unsupported_media_type'],
  ['text', Buffer.from('no image at all'), 'unsupported_media_type'],
  ['nothing', Buffer.alloc(0), 'unsupported_media_type'],
  ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'unsupported_media_type'],
  ['too much', Buffer.concat([png, Buffer.alloc(imageLimit)]), 'too_large'],
])('[IMG-2] %s is refused', async (_, bytes, code) => {
  expect(await openImages().store('doc', bytes, 'ana')).toMatchObject({ ok: false, code })
})

test.each([
  'http://127.0.0.1/a.png',
  'http://localhost:3000/a.png',
  'http://[::1]/a.png',
  'http://[::ffff:127.0.0.1]/a.png',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/a.png',
  'http://0.0.0.0/a.png',
  'http://2130706433/a.png',
  'http://[64:ff9b::7f00:1]/a.png',
])('[IMG-3] %s is not fetched', async (address) => {
  expect(await openImages().fetch('doc', address, 'ana')).toMatchObject({ ok: false, code: 'denied' })
})

test.each([
  'ftp://example.com/a.png',
  'file:///etc/passwd',
  'no address',
  'http://user:word@example.com/a.png',
  'data:,x',
])('[IMG-3] %s is no address of an image', async (address) => {
  expect(await openImages().fetch('doc', address, 'ana')).toMatchObject({ ok: false, code: 'invalid_input' })
})

test('[IMG-4] a redirect is followed, but not inside', async () => {
  const outside = (address: string): boolean => address === '127.0.0.1'
  const url = await serve((request, response) => {
    if (request.url === '/image') return response.end(png)
    const location = request.url === '/inside' ? 'http://127.0.0.2/a.png' : request.url === '/loop' ? '/loop' : '/image'
    response.writeHead(302, { location }).end()
  })
  const images = openImages(outside)
  expect(await images.fetch('doc', `${url}/redirect`, 'ana')).toMatchObject({ ok: true })
  expect(await images.fetch('doc', `${url}/inside`, 'ana')).toMatchObject({ ok: false, code: 'denied' })
  expect(await images.fetch('doc', `${url}/loop`, 'ana')).toMatchObject({ ok: false, code: 'invalid_input' })
})

test('[IMG-5] what is fetched is checked as what is sent', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/svg') return response.writeHead(200, { 'content-type': 'image/png' }).end(svg)
    if (request.url === '/gone') return response.writeHead(404).end()
    response.write(png)
    // Without a declared size, so the reader has to count bytes.
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const images = openImages(() => true)
  expect(await images.fetch('doc', `${url}/svg`, 'ana')).toMatchObject({ ok: false, code: 'invalid_input' })
  expect(await images.fetch('doc', `${url}/gone`, 'ana')).toMatchObject({ ok: false, code: 'not_found' })
  expect(await images.fetch('doc', `${url}/endless`, 'ana')).toMatchObject({ ok: false, code: 'too_large' })
})

let server: TestServer
let ana: Session
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
})
afterAll(() => server.dispose())

test('[IMG-6] an image is sent as a form and shown to who may read the document, with nothing in it able to run', async () => {
  const { id } = await server.create(ana, 'Text')
  const headers = { authorization: `Bearer ${ana.token}` }
  const form = new FormData()
  form.set('file', new Blob([png], { type: 'text/html' }), '../../evil.html')
  const sent = await fetch(`${server.url}/api/documents/${id}/images`, { method: 'POST', headers, body: form })
  expect(sent.status).toBe(201)
  const { url } = (await sent.json()) as { url: string }
  const shown = await fetch(server.url + url, { headers })
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(shown.headers.get('content-security-policy')).toContain('sandbox')
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(png)
  expect((await fetch(server.url + url)).status).toBe(401)
  const other = await server.create(ana, 'Other')
  expect((await fetch(server.url + url.replace(id, other.id), { headers })).status).toBe(404)

  const wrong = new FormData()
  wrong.set('file', new Blob([svg], { type: 'image/svg+xml' }), 'a.svg')
  const post = (body: FormData | string, more = {}): Promise<Response> =>
    fetch(`${server.url}/api/documents/${id}/images`, { method: 'POST', headers: { ...headers, ...more }, body })
  expect((await post(wrong)).status).toBe(415)
  expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415)
  const large = new FormData()
  large.set('file', new Blob([png, Buffer.alloc(imageLimit)]), 'large.png')
  expect((await post(large)).status).toBe(413)
  expect((await post(new FormData())).status).toBe(400)
})
