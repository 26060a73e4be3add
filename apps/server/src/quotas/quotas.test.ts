import type { Session } from '@copydesk/protocol'
import { afterEach, expect, test } from 'vitest'
import { callApi } from '../testing/call-api.ts'
import { openRoleScene, type RoleScene } from '../testing/role-scene.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let server: TestServer | undefined
let scene: RoleScene | undefined
afterEach(async () => {
  await server?.dispose()
  await scene?.dispose()
  server = scene = undefined
})

async function start(quotas: Record<string, number>): Promise<{ url: string; ana: Session; id: string }> {
  server = await startTestServer({ QUOTAS: JSON.stringify(quotas) })
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, 'Text')
  return { url: server.url, ana, id }
}

function formWith(kibibytes: number): FormData {
  const form = new FormData()
  form.set('file', new Blob([png, Buffer.alloc(kibibytes * 1024 - png.length, 1)]), 'a.png')
  return form
}

async function sendImage(
  url: string,
  token: string,
  document: string,
  body: RequestInit['body'],
  more = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...more }
  const address = `${url}/api/documents/${document}/images`
  return fetch(address, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
}

const refused = (quota: string) => ({
  status: 507,
  body: { error: { code: 'quota_exceeded', hint: expect.stringContaining(quota) } },
})

test('[QUOTA-9] an image that finds no room is refused by its declared length, and by what has come of it', async () => {
  const { url, ana, id } = await start({ imageMiBPerDocument: 1 })
  const declared = await sendImage(url, ana.token, id, formWith(1100))
  expect({ status: declared.status, body: await declared.json() }).toMatchObject(refused('imageMiBPerDocument'))

  const form = new Request('http://form', { method: 'POST', body: formWith(1100) })
  const type = { 'content-type': form.headers.get('content-type') ?? '' }
  // Without `content-length`, as a stream.
  const streamed = await sendImage(url, ana.token, id, form.body, type)
  expect({ status: streamed.status, body: await streamed.json() }).toMatchObject(refused('imageMiBPerDocument'))
  expect((await sendImage(url, ana.token, id, formWith(900))).status).toBe(201)
})

test('[QUOTA-8] all guests by one link share the room for its images; others have theirs', async () => {
  scene = await openRoleScene({ QUOTAS: '{"imageMiBPerLink": 1}' })
  const { url } = scene.server
  const { body: link } = await scene.as('owner')<{ url: string }>('POST', '/links', { role: 'editor' })
  const tokens: string[] = []
  for (const name of ['First', 'Second']) {
    const path = `/api/links/${link.url.split('/').at(-1) ?? ''}`
    const { body } = await callApi(url, '', '')<{ token: string }>('POST', path, { name })
    tokens.push(body.token)
  }
  const [first = '', second = ''] = tokens
  expect((await sendImage(url, first, scene.document, formWith(600))).status).toBe(201)
  const other = new FormData()
  other.set('file', new Blob([png, Buffer.alloc(600 * 1024, 2)]), 'b.png')
  const answer = await sendImage(url, second, scene.document, other)
  expect({ status: answer.status, body: await answer.json() }).toMatchObject(refused('imageMiBPerLink'))
  expect((await sendImage(url, scene.tokens.editor, scene.document, formWith(700))).status).toBe(201)
})

test('[QUOTA-11] a person makes as many documents as they may, at once or one by one, trash included', async () => {
  const { url, ana, id } = await start({ documentsPerPerson: 3 })
  const call = callApi(url, ana.token, id)
  expect((await call('DELETE', '')).status).toBe(204)
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/api/documents', {})))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(answers.filter(({ status }) => status === 507)).toHaveLength(3)
  expect(await call('POST', '/api/documents', {})).toMatchObject(refused('documentsPerPerson'))
  const ben = await server?.signIn('Ben')
  expect((await callApi(url, ben?.token ?? '', id)('POST', '/api/documents', {})).status).toBe(201)
})

test('[QUOTA-11] a server has as many documents as it may', async () => {
  const { url, ana, id } = await start({ documentsOfServer: 1 })
  expect(await callApi(url, ana.token, id)('POST', '/api/documents', {})).toMatchObject(refused('documentsOfServer'))
})

test('[QUOTA-5] whose day is used up makes and says nothing new, and nothing of it is stored; they still decide and resolve', async () => {
  const { url, ana, id } = await start({ logMiBPerPersonAndDay: 1 })
  const call = callApi(url, ana.token, id)
  const { body: thread } = await call<{ id: string }>('POST', '/threads', { quote: 'Text', text: 'A comment' })
  const { body: change } = await call<{ id: string }>('POST', '/changes', { quote: 'Text', replaceWith: 'Words' })
  expect((await call('POST', '/api/documents', { markdown: 'word '.repeat(220_000) })).status).toBe(201)
  const adding: [string, string, unknown][] = [
    ['POST', '/threads', { quote: 'Text', text: 'Another' }],
    ['POST', `/threads/${thread.id}/comments`, { text: 'A reply' }],
    ['POST', '/messages', { text: 'Hello' }],
    ['POST', '/changes', { quote: 'Text', replaceWith: 'No' }],
    ['PATCH', '', { title: 'New' }],
    ['PATCH', '', { font: 'serif', starred: true }],
    ['POST', '/api/documents', { markdown: 'more' }],
  ]
  for (const [method, path, body] of adding) {
    expect(await call(method, path, body)).toMatchObject(refused('logMiBPerPersonAndDay'))
  }
  expect((await call('PATCH', `/threads/${thread.id}`, { resolved: true })).status).toBe(200)
  expect((await call('POST', `/changes/${change.id}`, { decision: 'reject' })).status).toBe(200)
  const { body } = await call<{ threads: { comments: unknown[] }[] }>('GET', '/threads')
  expect(body.threads.map(({ comments }) => comments.length)).toEqual([1])
})

test('[QUOTA-6] a caller without access to a document learns nothing about its quotas', async () => {
  scene = await openRoleScene({ QUOTAS: '{"logMiBPerDocument": 0}' })
  const message = { text: 'Hello' }
  expect(await scene.as('owner')('POST', '/messages', message)).toMatchObject(refused('logMiBPerDocument'))
  expect((await scene.as('stranger')('POST', '/messages', message)).status).toBe(404)
  expect((await scene.as('viewer')('POST', '/messages', message)).status).toBe(403)
})
