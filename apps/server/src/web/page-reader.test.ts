import { createServer } from 'node:http'
import { type Listening, listenLocally } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'
import { PageReader } from './page-reader.ts'
import { readPageText } from './page-text.ts'

const sentence = 'Solar power grew a lot, as <a href="rel">a study</a> says, and nobody expected it. '
const article = `<!doctype html><html><head><title>Solar</title><script>alert(1)</script></head><body>
  <nav><a href="/">Home</a><a href="/shop">Shop</a></nav>
  <article><h1>Solar</h1><p>${sentence.repeat(5)}</p>
  <table><thead><tr><th>Year</th><th>GW</th></tr></thead><tbody><tr><td>2024</td><td>597</td></tr></tbody></table>
  <p>${'More text is here, with commas, and so on. '.repeat(8)}</p><img src="data:image/png;base64,AAAA"></article>
  <footer>Imprint</footer></body></html>`

const answers: Record<string, [type: string | undefined, body: string | Buffer]> = {
  '/article': ['text/html; charset=utf-8', article],
  '/latin': [undefined, Buffer.from('<meta charset="iso-8859-1"><p>Größe', 'latin1')],
  '/unknown': ['text/html; charset=nonsense', '<p>Größe</p>'],
  '/plain': ['text/plain', 'Just <b>text</b>.'],
  '/pdf': ['application/pdf', '%PDF-1.7'],
  '/deep': ['text/html', '<div>'.repeat(200_000)],
  '/huge': ['text/html', 'x'.repeat(4 * 1024 * 1024)],
  '/empty': ['text/html', ''],
}

let base: string
let listening: Listening
let requests = 0
const server = createServer((request, response) => {
  requests++
  const [type, body] = answers[request.url ?? ''] ?? []
  if (body === undefined) return void response.writeHead(404).end()
  response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body)
})
const local = createGuardedFetch({ isAllowed: (address) => address === '127.0.0.1' })
const reader = new PageReader(local)
const hasty = new PageReader(local, 200)
const { signal } = new AbortController()
beforeAll(async () => {
  listening = await listenLocally(server)
  base = listening.origin
})
afterAll(async () => {
  await reader.close()
  await hasty.close()
  await listening.close()
})
const read = (path: string) => reader.read(base + path, signal)

test('[WEB-3] a page is its main text as markdown, with whole addresses', async () => {
  const got = await read('/article')
  if (!got.ok) throw new Error(got.message)
  const { title, text, url } = got.page
  expect([title, url]).toEqual(['Solar', `${base}/article`])
  expect(text).toContain(`as [a study](${base}/rel) says`)
  expect(text).toMatch(/\| Year \| GW +\|\n\| -+ \| -+ \|\n\| 2024 \| 597 \|/)
  for (const left of ['Home', 'Imprint', 'alert', 'base64']) expect(text).not.toContain(left)
})

test('[WEB-3] text in other encodings, without tags and in plain is read', async () => {
  expect(await read('/latin')).toMatchObject({ page: { text: 'Größe' } })
  expect(await read('/unknown')).toMatchObject({ page: { text: 'Größe' } })
  expect(await read('/plain')).toMatchObject({ page: { text: 'Just <b>text</b>.' } })
  expect(await read('/empty')).toMatchObject({ page: { text: '' } })
  expect(readPageText('<html><p>No body.', 'https://a.example/')).toMatchObject({ text: 'No body.' })
})

test('[WEB-5] what is no page, too large or made to take long is refused, and the next is read', async () => {
  expect(await read('/pdf')).toMatchObject({
    code: 'invalid_operation',
    message: 'That is no page, but application/pdf.',
  })
  expect(await read('/huge')).toMatchObject({ code: 'too_large' })
  expect(await read('/gone')).toMatchObject({ code: 'not_found', message: 'The page answered 404.' })
  expect(await hasty.read(`${base}/deep`, signal)).toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('another page'),
  })
  expect(await hasty.read(`${base}/plain`, signal)).toMatchObject({ ok: true })
  expect(await reader.read('http://169.254.169.254/latest/meta-data', signal)).toMatchObject({ code: 'denied' })
  expect(await reader.read('http://127.0.0.1:1/', signal)).toMatchObject({ code: 'unavailable' })
})

test('[WEB-3] a run that reads on fetches its page once', async () => {
  const ofRun = reader.forRun(signal)
  await ofRun(`${base}/plain`)
  const before = requests
  expect(await ofRun(`${base}/plain`)).toMatchObject({ ok: true })
  expect(requests).toBe(before)
})
