import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import {
  type Answer,
  call,
  createDocument,
  exportMarkdown,
  type ForeignDocument,
  type ForeignError,
  type ForeignMessage,
  type ForeignRun,
  type ForeignSession,
  join,
  startSession,
  until,
} from './foreign-client.ts'

/** The routes of the page's table and of its section on sessions. */
const routes = [
  ['post', '/api/session'],
  ['get', '/api/me'],
  ['patch', '/api/me'],
  ['post', '/api/documents'],
  ['get', '/api/documents'],
  ['get', '/api/documents/{id}'],
  ['patch', '/api/documents/{id}'],
  ['delete', '/api/documents/{id}'],
  ['post', '/api/documents/{id}/restore'],
  ['post', '/api/documents/{id}/duplicate'],
  ['get', '/api/documents/{id}/export'],
  ['post', '/api/documents/{id}/messages'],
  ['get', '/api/documents/{id}/messages'],
  ['get', '/api/documents/{id}/runs'],
  ['get', '/api/documents/{id}/runs/{run}'],
  ['post', '/api/documents/{id}/runs/{run}/stop'],
  ['get', '/api/documents/{id}/authorship'],
  ['get', '/api/documents/{id}/versions'],
  ['get', '/api/documents/{id}/versions/{version}'],
  ['get', '/api/documents/{id}/versions/{version}/diff'],
  ['post', '/api/documents/{id}/versions/{version}/restore'],
  ['get', '/api/documents/{id}/people'],
  ['get', '/api/notifications'],
  ['post', '/api/notifications/read'],
  ['get', '/healthz'],
  ['get', '/readyz'],
] as const

/** The routes of sharing: a separate table has their refusals. */
const sharingRoutes = [
  ['get', '/api/documents/{id}/members'],
  ['put', '/api/documents/{id}/members'],
  ['put', '/api/documents/{id}/sharing'],
  ['get', '/api/documents/{id}/links'],
  ['post', '/api/documents/{id}/links'],
  ['delete', '/api/documents/{id}/links/{link}'],
  ['get', '/api/links/{token}'],
  ['post', '/api/links/{token}'],
  ['get', '/api/people'],
  ['get', '/api/ownerless'],
  ['post', '/api/ownerless/{id}'],
  ['post', '/api/ownerless/folders/{id}'],
] as const

/** The routes of folders and the trash. */
const folderRoutes = [
  ['get', '/api/documents/{id}/move'],
  ['delete', '/api/trash'],
  ['get', '/api/folders'],
  ['post', '/api/folders'],
  ['patch', '/api/folders/{id}'],
  ['delete', '/api/folders/{id}'],
  ['post', '/api/folders/{id}/restore'],
  ['get', '/api/folders/{id}/move'],
  ['get', '/api/folders/{id}/members'],
  ['put', '/api/folders/{id}/members'],
] as const

/** Those that only servers with accounts have. */
const accountRoutes = [
  ['get', '/api/auth'],
  ['post', '/api/auth/sign-in'],
  ['post', '/api/auth/links'],
  ['post', '/api/auth/sign-up'],
  ['post', '/api/auth/reset'],
  ['post', '/api/auth/sign-out'],
  ['post', '/api/auth/sign-out-everywhere'],
  ['get', '/api/auth/sessions'],
  ['delete', '/api/auth/sessions/{session}'],
  ['get', '/api/auth/account'],
  ['patch', '/api/auth/account'],
  ['post', '/api/auth/password'],
  ['get', '/api/auth/keys'],
  ['post', '/api/auth/keys'],
  ['delete', '/api/auth/keys/{key}'],
  ['post', '/api/auth/oidc'],
  ['post', '/api/auth/oidc/connect'],
  ['delete', '/api/auth/oidc'],
  ['get', '/api/auth/people'],
  ['patch', '/api/auth/people/{person}'],
  ['post', '/api/auth/people/{person}/reset'],
  ['get', '/api/auth/invitations'],
  ['post', '/api/auth/invitations'],
  ['delete', '/api/auth/invitations/{invitation}'],
] as const

const documentFields = [
  'id',
  'title',
  'role',
  'access',
  'agentMode',
  'editorsShare',
  'trashed',
  'createdAt',
  'updatedAt',
  'editedBy',
  'owner',
  'people',
  'peopleCount',
  'preview',
  'starred',
  'folder',
  'inherits',
  'deletesAt',
]
const finalStatuses = ['completed', 'failed', 'stopped', 'limit_reached']

let server: Copydesk
let ana: ForeignSession

beforeAll(async () => {
  server = await startCopydesk()
  ana = await startSession(server.url, 'Ana')
})

afterAll(() => server.dispose())

function api<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  return call<T>(server.url, method, path, { token: ana.token, body })
}

const create = (markdown: string, title?: string): Promise<string> =>
  createDocument(server.url, ana.token, markdown, title)

type Posted = { message: ForeignMessage; run: ForeignRun }

/** Waits until a run is over, by HTTP. */
async function ended(id: string, run: string): Promise<ForeignRun> {
  const find = async (): Promise<ForeignRun> => (await api<ForeignRun>('GET', `/api/documents/${id}/runs/${run}`)).body
  await until(async () => finalStatuses.includes((await find()).status), `run ${run} is over`)
  return find()
}

test('[ROUTE-1] the OpenAPI document lists every route of the page, and what each answers', async () => {
  type OpenApi = { openapi: string; paths: Record<string, Record<string, { responses: object } | undefined>> }
  const { status, body } = await call<OpenApi>(server.url, 'GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toMatch(/^3\./)
  const all = [...routes, ...sharingRoutes, ...folderRoutes, ...accountRoutes]
  const missing = all.filter(([method, path]) => !body.paths[path]?.[method])
  expect(missing).toEqual([])
  for (const [method, path] of all) {
    expect(Object.keys(body.paths[path]?.[method]?.responses ?? {}), `${method} ${path}`).not.toHaveLength(0)
  }
})

test('[ROUTE-2] a session is a token and a user, and a cookie; /api/me answers who is calling and what the agent is', async () => {
  const session = await call<ForeignSession>(server.url, 'POST', '/api/session', { body: { name: 'Bob' } })
  expect(session.status).toBe(200)
  expect(session.body).toEqual({
    token: expect.any(String) as string,
    user: {
      id: expect.any(String) as string,
      name: 'Bob',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
    },
  })
  const cookie = session.headers.getSetCookie().find((each) => each.startsWith('copydesk_session='))
  expect(cookie).toMatch(/; HttpOnly/)
  const me = await call<{ user: unknown; agent: { setup?: string } }>(server.url, 'GET', '/api/me', session.body)
  expect(me.status).toBe(200)
  expect(me.body.user).toEqual(session.body.user)
  expect(me.body.agent).toMatchObject({ provider: 'builtin', model: expect.any(String) as string })
  expect(me.body.agent.setup).toMatch(/\S/)
  const byCookie = await fetch(`${server.url}/api/me`, { headers: { cookie: cookie?.split(';')[0] ?? '' } })
  expect(byCookie.status).toBe(200)
})

test('[ROUTE-3] a document is created with 201 and the fields of the page, and read back', async () => {
  const made = await api<ForeignDocument>('POST', '/api/documents', { title: 'Plan', markdown: 'Hello' })
  expect(made.status).toBe(201)
  expect(Object.keys(made.body).toSorted()).toEqual(documentFields.toSorted())
  expect(made.body).toMatchObject({ title: 'Plan', role: 'owner', agentMode: 'edit', trashed: false })
  const found = await api<ForeignDocument>('GET', `/api/documents/${made.body.id}`)
  expect([found.status, found.body]).toEqual([200, made.body])
  const empty = await api<ForeignDocument>('POST', '/api/documents', {})
  expect(empty.status).toBe(201)
})

test('[ROUTE-4] the first heading stays in the text and is the title; frontmatter comes back unchanged', async () => {
  const markdown = '---\ntags: [a,  b]\n# kept\n---\n\n# Heading\n\nText\n'
  const made = await api<ForeignDocument>('POST', '/api/documents', { markdown })
  expect(made.body.title).toBe('Heading')
  expect(await exportMarkdown(server.url, ana.token, made.body.id)).toBe(markdown)
  const titled = await api<ForeignDocument>('POST', '/api/documents', { title: 'Other', markdown })
  expect(titled.body.title).toBe('Other')
})

test('[ROUTE-5] the export is markdown by default, or the bare ProseMirror document', async () => {
  const id = await create('Some **bold** text')
  const path = `/api/documents/${id}/export`
  const [plain, named, json] = [
    await api<string>('GET', path),
    await api<string>('GET', `${path}?format=markdown`),
    await api<{ type: string; content: { type: string; content: unknown[] }[] }>('GET', `${path}?format=json`),
  ]
  expect(plain.headers.get('content-type')).toMatch(/^text\/markdown/)
  expect(plain.body).toBe('Some **bold** text\n')
  expect(named.body).toBe(plain.body)
  expect(json.headers.get('content-type')).toMatch(/^application\/json/)
  expect(json.body.type).toBe('doc')
  expect(json.body.content[0]?.type).toBe('paragraph')
  expect(json.body.content[0]?.content[1]).toMatchObject({ type: 'text', text: 'bold', marks: [{ type: 'bold' }] })
  expect((await api('GET', `${path}?format=pdf`)).status).toBe(400)
})

test('[ROUTE-6] the list has 30 documents a page, most recently changed first, and continues from the cursor', async () => {
  const { token } = await startSession(server.url, 'Lister')
  const word = randomUUID()
  const ids: string[] = []
  for (let index = 0; index < 35; index++) ids.push(await createDocument(server.url, token, 'x', `${word} ${index}`))
  const list = (query: string) =>
    call<{ documents: ForeignDocument[]; nextCursor: string | null }>(server.url, 'GET', `/api/documents?${query}`, {
      token,
    })
  const first = await list(`query=${word}`)
  expect(first.body.documents.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 30))
  const second = await list(`query=${word}&cursor=${encodeURIComponent(first.body.nextCursor ?? '')}`)
  expect(second.body.documents.map(({ id }) => id)).toEqual(ids.toReversed().slice(30))
  expect(second.body.nextCursor).toBeNull()
})

test('[ROUTE-7] [IMG-13] the query looks in titles, in text and in captions', async () => {
  const [inTitle, inText, inCaption] = ['t', 'w', 'c'].map((letter) => letter + randomUUID().slice(0, 8))
  const id = await create(`Some words and ${inText} among them\n\n![](/a.png "A ${inCaption}")`, `Plan ${inTitle}`)
  for (const query of [inTitle, inText, inCaption]) {
    const find = async (): Promise<string[]> =>
      (await api<{ documents: ForeignDocument[] }>('GET', `/api/documents?query=${query}`)).body.documents.map(
        (document) => document.id,
      )
    await until(async () => (await find()).includes(id), `${query} is found`)
    expect(await find()).toEqual([id])
  }
})

test('[ROUTE-8] PATCH renames and sets the mode of the agent, which later runs have', async () => {
  const id = await create('I saw teh cat.')
  const path = `/api/documents/${id}`
  const renamed = await api<ForeignDocument>('PATCH', path, { title: 'New name' })
  expect([renamed.status, renamed.body.title]).toEqual([200, 'New name'])
  for (const agentMode of ['suggest', 'ask', 'edit']) {
    expect((await api<ForeignDocument>('PATCH', path, { agentMode })).body.agentMode).toBe(agentMode)
  }
  expect((await api('PATCH', path, { font: 'serif' })).status).toBe(200)
  expect((await api<ForeignError>('PATCH', path, { font: 'gothic' })).body.error.code).toBe('invalid_input')
  expect((await api<ForeignError>('PATCH', path, { agentMode: 'chaos' })).body.error.code).toBe('invalid_input')
  const client = await join(server.url, ana.token, id)
  onTestFinished(() => client.close())
  expect(client.content.document.getMap('meta').get('title')).toBe('New name')
})

test('[ROUTE-9] the trash lists what was deleted, and restore brings it back', async () => {
  const id = await create('Hello', `Trash ${randomUUID()}`)
  type List = { documents: ForeignDocument[] }
  const listed = async (query: string): Promise<boolean> =>
    (await api<List>('GET', `/api/documents?${query}`)).body.documents.some((document) => document.id === id)
  const removed = await api('DELETE', `/api/documents/${id}`)
  expect([removed.status, removed.body]).toEqual([204, ''])
  expect([await listed(''), await listed('trash=true')]).toEqual([false, true])
  expect((await api('POST', `/api/documents/${id}/restore`)).status).toBe(200)
  expect([await listed(''), await listed('trash=true')]).toEqual([true, false])
})

test('[ROUTE-10] a message is answered with 202; its run is listed newest first and readable', async () => {
  const id = await create('I saw teh cat.')
  const runs: string[] = []
  for (const text of ['replace teh with the', 'replace cat with dog']) {
    const posted = await api<Posted>('POST', `/api/documents/${id}/messages`, { text })
    expect(posted.status).toBe(202)
    runs.unshift((await ended(id, posted.body.run.id)).id)
  }
  const listed = await api<{ runs: ForeignRun[] }>('GET', `/api/documents/${id}/runs`)
  expect(listed.body.runs.map((run) => run.id)).toEqual(runs)
  expect(await exportMarkdown(server.url, ana.token, id)).toBe('I saw the dog.\n')
})

test('[ROUTE-11] runs of one person in one document are served one after the other, in order', async () => {
  const id = await create('zero')
  const words = ['zero', 'one', 'two', 'three', 'four']
  const posted: Posted[] = []
  for (const [index, word] of words.slice(0, -1).entries()) {
    const text = `replace ${word} with ${words[index + 1]}`
    posted.push((await api<Posted>('POST', `/api/documents/${id}/messages`, { text })).body)
  }
  expect(posted.slice(1).some(({ run }) => run.status === 'queued')).toBe(true)
  for (const { run } of posted) expect((await ended(id, run.id)).status).toBe('completed')
  expect(await exportMarkdown(server.url, ana.token, id)).toBe('four\n')
})

test('[ROUTE-12] stop ends a queued run and answers it', async () => {
  const id = await create('I saw teh cat.')
  const path = `/api/documents/${id}/messages`
  const all = await Promise.all(
    Array.from({ length: 6 }, () => api<Posted>('POST', path, { text: 'replace teh with the' })),
  )
  const last = all
    .map(({ body }) => body.run)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .at(-1)!
  const stopped = await api<ForeignRun>('POST', `/api/documents/${id}/runs/${last.id}/stop`)
  expect(stopped.status).toBe(200)
  expect(stopped.body.id).toBe(last.id)
  expect((await ended(id, last.id)).status).toBe('stopped')
})

test('[ACC-23] a name and a colour are changed without an account, and nothing else is', async () => {
  const { user } = (await api<{ user: { id: string; color: string } }>('GET', '/api/me')).body
  const changed = await api('PATCH', '/api/me', { name: ' Anna ', color: '#1d4ed8' })
  expect(changed).toMatchObject({ status: 200, body: { id: user.id, name: 'Anna', color: '#1d4ed8' } })
  expect((await api('GET', '/api/me')).body).toMatchObject({ user: changed.body })
  for (const body of [
    { name: '' },
    { name: '@agent' },
    { color: '#ffffff' },
    { color: 'red' },
    { name: 'x'.repeat(81) },
  ])
    expect((await api('PATCH', '/api/me', body)).status).toBe(400)
  expect((await api('PATCH', '/api/me', { name: 'Ana', color: user.color })).status).toBe(200)
})

test('[CHAT-1] a message may name its conversation, which its answer names, too, and by which the chat is filtered', async () => {
  const id = await create('Hello')
  const path = `/api/documents/${id}/messages`
  for (const conversation of [undefined, 'two_-2']) {
    const posted = await api<Posted>('POST', path, { text: 'replace Hello with Hello', conversation })
    expect(posted.status).toBe(202)
    await ended(id, posted.body.run.id)
  }
  const named = async (query = ''): Promise<unknown[]> =>
    (await api<{ messages: { role: string; conversation?: string }[] }>('GET', path + query)).body.messages.map(
      ({ role, conversation }) => [role, conversation],
    )
  const inTwo = [
    ['user', 'two_-2'],
    ['agent', 'two_-2'],
  ]
  expect(await named()).toEqual([['user', undefined], ['agent', undefined], ...inTwo])
  expect(await named('?conversation=two_-2')).toEqual(inTwo)
  expect(await named('?conversation=none')).toEqual([])
  for (const conversation of ['', 'a b', 'x'.repeat(65), 7])
    expect((await api('POST', path, { text: 'Hello', conversation })).status).toBe(400)
})

test('[ROUTE-13] at most 200 messages, oldest first; those before come by `before`', async () => {
  const id = await create('Hello')
  const path = `/api/documents/${id}/messages`
  const runs: string[] = []
  for (let index = 0; index < 105; index++) {
    const posted = await api<Posted>('POST', path, { text: `replace nothing${index} with x` })
    expect(posted.status).toBe(202)
    runs.push(posted.body.run.id)
    await ended(id, posted.body.run.id)
  }
  const page = async (query = ''): Promise<ForeignMessage[]> =>
    (await api<{ messages: ForeignMessage[] }>('GET', path + query)).body.messages
  const newest = await page()
  expect(newest).toHaveLength(200)
  expect(newest.at(-1)).toMatchObject({ role: 'agent', run: runs.at(-1) })
  const older = await page(`?before=${newest[0]?.id}`)
  expect(older).toHaveLength(10)
  expect(older[0]).toMatchObject({ role: 'user', text: 'replace nothing0 with x' })
  const times = [...older, ...newest].map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted())
  expect(new Set([...older, ...newest].map((message) => message.id)).size).toBe(210)
  expect(await page(`?before=${older[0]?.id}`)).toEqual([])
  const client = await join(server.url, ana.token, id)
  onTestFinished(() => client.close())
  expect(client.messages()).toEqual(newest)
  expect(client.runs()).toHaveLength(100)
})

test('[ROUTE-14] every document route refuses without a session, and an unknown document', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  const body = { post: { text: 'hello', name: 'Ana' }, patch: { title: 'x' }, get: undefined, delete: undefined }
  for (const [method, template] of routes.slice(1, -2)) {
    const path = template.replace('{id}', unknown).replace('{run}', unknown)
    const needsBody = !/restore|stop/.test(path)
    const options = needsBody ? { body: body[method] } : {}
    const anonymous = await call<ForeignError>(server.url, method.toUpperCase(), path, options)
    expect([anonymous.status, anonymous.body.error.code], path).toEqual([401, 'unauthenticated'])
    expect(anonymous.headers.get('x-request-id'), path).toMatch(/\S/)
    if (!path.includes(unknown)) continue
    const stranger = await call<ForeignError>(server.url, method.toUpperCase(), path, { ...options, token: ana.token })
    expect([stranger.status, stranger.body.error.code], path).toEqual([404, 'not_found'])
  }
})

test('[ROUTE-15] a live and a serving process answer 200', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await call(server.url, 'GET', path)).status, path).toBe(200)
})

test('[ROUTE-16] an answer carries an x-request-id of its own', async () => {
  const ids = new Set<string | null>()
  for (const path of ['/api/me', '/api/nowhere', '/healthz', '/api/openapi.json']) {
    ids.add((await api('GET', path)).headers.get('x-request-id'))
  }
  expect(ids.size).toBe(4)
  expect(ids.has(null)).toBe(false)
})
