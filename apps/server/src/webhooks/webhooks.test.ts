import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookDeliveryList, WebhookList } from '@copydesk/protocol'
import { type Listening, listenLocally, until } from '@copydesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callApi } from '../testing/call-api.ts'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'

type Call = { path: string; headers: IncomingHttpHeaders; body: string; event: Event }
type Event = { type: string; timestamp: string; data: Record<string, unknown> }

let server: TestServer
let ana: AccountHolder
let receiver: Listening
const calls: Call[] = []
/** The receiver's answers by path; 204 by default. */
const answers = new Map<string, (response: ServerResponse) => void>()

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const path = request.url ?? ''
  calls.push({ path, headers: request.headers, body, event: JSON.parse(body) as Event })
  const answer = answers.get(path)
  if (answer) answer(response)
  else response.writeHead(204).end()
}

beforeAll(async () => {
  receiver = await listenLocally(createServer((request, response) => void receive(request, response)))
  const webhookTimes = { every: 10, gather: 400, retries: [20, 20], failingAtMost: 60_000 }
  server = await startTestServer({ AUTH: 'accounts', ALLOW_PRIVATE_HOSTS: '127.0.0.1' }, { webhookTimes })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(async () => {
  await server.dispose()
  await receiver.close()
})
afterEach(async () => {
  const { webhooks } = (await ana.call<WebhookList>('GET', '/api/webhooks')).body
  for (const { id } of webhooks) await ana.call('DELETE', `/api/webhooks/${id}`)
  answers.clear()
  calls.splice(0)
})

async function add(path: string, more: object = {}): Promise<CreatedWebhook> {
  const body = { url: receiver.origin + path, events: ['thread'], ...more }
  const { status, body: webhook } = await ana.call<CreatedWebhook>('POST', '/api/webhooks', body)
  expect(status, JSON.stringify(webhook)).toBe(201)
  return webhook
}

async function log({ id }: Pick<Webhook, 'id'>): Promise<WebhookDelivery[]> {
  return (await ana.call<WebhookDeliveryList>('GET', `/api/webhooks/${id}/deliveries`)).body.deliveries
}

async function settled(webhook: Pick<Webhook, 'id'>, count = 1): Promise<WebhookDelivery[]> {
  const isDone = async (): Promise<boolean> => {
    const deliveries = await log(webhook)
    return deliveries.length >= count && deliveries.every(({ state }) => state !== 'pending')
  }
  await until(isDone, `${count} deliveries are over`)
  return log(webhook)
}

async function find({ id }: Pick<Webhook, 'id'>): Promise<Webhook | undefined> {
  const { webhooks } = (await ana.call<WebhookList>('GET', '/api/webhooks')).body
  return webhooks.find((each) => each.id === id)
}

async function makeDocument(): Promise<{ id: string; call: ReturnType<typeof callApi> }> {
  const { id } = await server.create(ana, '# Prices\n\nThe price is 30.')
  return { id, call: callApi(server.url, ana.token, id) }
}

async function comment(): Promise<{ document: string; thread: string }> {
  const { id, call } = await makeDocument()
  const { body } = await call<{ id: string }>('POST', '/threads', { quote: 'price', text: 'A secret word' })
  return { document: id, thread: body.id }
}

const at = (path: string): Call[] => calls.filter((call) => call.path === path)

/** The signature as a receiver verifies it: see docs/webhooks.md. */
function signatureOf(secret: string, { headers, body }: Call): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

test('[HOOK-1] [HOOK-2] events arrive in order as ids without text, signed with their time; a replaced secret is valid beside the new one', async () => {
  const events = ['run', 'doc_update', 'thread', 'message', 'version']
  const webhook = await add('/all', { events })
  const { id, call } = await makeDocument()
  const { body: thread } = await call<{ id: string }>('POST', '/threads', { quote: 'price', text: 'A secret word' })
  await call('PATCH', `/threads/${thread.id}`, { resolved: true })
  const { body: version } = await call<{ id: string }>('POST', '/versions', { name: 'A secret name' })
  const { body: sent } = await call<{ message: { id: string }; run: { id: string } }>('POST', '/messages', {
    text: 'Fix the typos',
  })
  const isOver = (): boolean => at('/all').some(({ event }) => event.data['status'] === 'completed')
  await until(isOver, 'the run is over')
  await until(() => at('/all').some(({ event }) => event.type === 'doc_update'), 'the change of the text is sent')

  const dataOf = (type: string): unknown[] =>
    at('/all').flatMap(({ event }) => (event.type === type ? [event.data] : []))
  expect(dataOf('thread')).toMatchObject([
    { document: id, thread: thread.id, what: 'created', author: ana.user.id },
    { document: id, thread: thread.id, what: 'resolved' },
  ])
  expect(dataOf('version')).toContainEqual({ document: id, version: version.id, kind: 'named', run: null })
  expect(dataOf('message')).toContainEqual({
    document: id,
    message: sent.message.id,
    role: 'user',
    author: ana.user.id,
    run: sent.run.id,
  })
  const run = { document: id, run: sent.run.id, mode: 'edit', trigger: 'chat', invokedBy: ana.user.id }
  expect(dataOf('run')).toEqual(['queued', 'running', 'completed'].map((status) => ({ ...run, status })))
  expect(dataOf('doc_update')[0]).toEqual({ document: id })
  expect(JSON.stringify(calls)).not.toMatch(/secret|typos|price/i)

  const [first] = at('/all')
  if (!first) throw new Error('nothing arrived')
  expect(first.headers['webhook-signature']).toBe(signatureOf(webhook.secret, first))
  expect(Math.abs(Number(first.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(3600)
  const { body: replaced } = await ana.call<{ secret: string }>('POST', `/api/webhooks/${webhook.id}/secret`)
  expect(replaced.secret).not.toBe(webhook.secret)
  await ana.call('POST', `/api/webhooks/${webhook.id}/test`)
  await until(() => at('/all').some(({ event }) => event.type === 'test'), 'the test event')
  const tested = at('/all').find(({ event }) => event.type === 'test')
  if (!tested) throw new Error('no test event arrived')
  const both = [replaced.secret, webhook.secret].map((secret) => signatureOf(secret, tested))
  expect(tested.headers['webhook-signature']).toBe(both.join(' '))
  expect(await ana.call('GET', '/api/webhooks')).not.toHaveProperty('body.webhooks.0.secret')
})

test('[HOOK-3] changes of a text within some seconds are one delivery', async () => {
  const webhook = await add('/text', { events: ['doc_update'] })
  const { id } = await makeDocument()
  const editor = await server.join(ana.token, id)
  for (let index = 0; index < 20; index++) {
    editor.text().insert(0, `${index}`)
    await editor.saved()
  }
  editor.close()
  const deliveries = (await settled(webhook)).toReversed()
  expect(deliveries[0]).toMatchObject({ event: 'doc_update', document: id, state: 'delivered' })
  // The number of deliveries depends on the machine: a change has a delivery only if the earlier one is being sent.
  for (const [index, { createdAt, attemptedAt }] of deliveries.entries()) {
    expect(Date.parse(attemptedAt ?? '') - Date.parse(createdAt)).toBeGreaterThanOrEqual(400)
    const before = deliveries[index - 1]?.attemptedAt
    if (before) expect(createdAt >= before, `${createdAt} is after ${before}`).toBe(true)
  }
})

test('[HOOK-4] what fails is sent again with the same id, then given up, and again when asked', async () => {
  let count = 0
  answers.set('/bad', (response) => {
    count += 1
    if (count === 2) response.destroy()
    else response.writeHead(count === 4 ? 200 : 500).end()
  })
  const webhook = await add('/bad')
  await comment()
  const [failed] = await settled(webhook)
  expect(failed).toMatchObject({ state: 'failed', attempts: 3, status: 500, error: 'status', dueAt: null })
  expect(new Set(at('/bad').map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed?.id]))
  const failing = await find(webhook)
  expect(failing?.failingSince).not.toBeNull()
  expect(failing?.recent).toEqual([{ result: 'failed', at: failed?.attemptedAt }])
  const again = await ana.call('POST', `/api/webhooks/${webhook.id}/deliveries/${failed?.id}`)
  expect(again.status).toBe(202)
  const [delivered] = await settled(webhook)
  expect(delivered).toMatchObject({ id: failed?.id, state: 'delivered', attempts: 1, status: 200, error: null })
  expect(await find(webhook)).toMatchObject({ failingSince: null, waiting: 0 })
  expect((await find(webhook))?.recent).toEqual([{ result: 'delivered', at: delivered?.attemptedAt }])
})

test('[HOOK-5] a webhook without an answer delays no other', async () => {
  const held: ServerResponse[] = []
  answers.set('/slow', (response) => void held.push(response))
  const [slow, quick] = [await add('/slow'), await add('/quick')]
  await comment()
  await until(() => held.length > 0, 'the slow receiver is called')
  expect(await settled(quick)).toMatchObject([{ state: 'delivered' }])
  answers.delete('/slow')
  for (const response of held) response.writeHead(204).end()
  expect(await settled(slow)).toMatchObject([{ state: 'delivered' }])
})

test('[HOOK-6] 410 and days of failure switch a webhook off; what waits is sent when it is on again', async () => {
  answers.set('/gone', (response) => response.writeHead(410).end())
  answers.set('/dead', (response) => response.writeHead(503).end())
  const [gone, dead] = [await add('/gone'), await add('/dead')]
  await changeFile(server.file, 'UPDATE webhooks SET failing_since = 1000 WHERE id = ?', dead.id)
  await comment()
  await until(async () => (await find(gone))?.active === false, '410 has switched it off')
  await until(async () => (await find(dead))?.active === false, 'failures have switched it off')
  expect(await find(gone)).toMatchObject({ stopped: 'gone', waiting: 0 })
  expect(await find(dead)).toMatchObject({ stopped: 'failing', waiting: 1 })
  const { body } = await ana.call<{ entries: { target: string; details: unknown }[] }>(
    'GET',
    '/api/audit?action=webhook-changed',
  )
  expect(body.entries).toContainEqual(
    expect.objectContaining({ target: gone.id, actor: null, details: { active: false, stopped: 'gone' } }),
  )
  answers.clear()
  const on = await ana.call('PATCH', `/api/webhooks/${dead.id}`, { active: true })
  expect(on.body).toMatchObject({ active: true, stopped: null, failingSince: null })
  expect(await settled(dead)).toMatchObject([{ state: 'delivered' }])
  // Events while it was off have no delivery.
  await comment()
  await settled(dead, 2)
  expect(await log(gone)).toHaveLength(1)
})

test('[HOOK-7] only allowed addresses are called, and no redirect is followed', async () => {
  answers.set('/moved', (response) => response.writeHead(302, { location: `${receiver.origin}/inside` }).end())
  const moved = await add('/moved')
  const rebinding = await add('/named', {
    url: `${receiver.origin.replace('http://127.0.0.1', 'https://localhost')}/named`,
  })
  for (const { id } of [moved, rebinding]) await ana.call('POST', `/api/webhooks/${id}/test`)
  expect(await settled(moved)).toMatchObject([{ state: 'failed', status: 302, error: 'redirect', attempts: 1 }])
  expect(await settled(rebinding)).toMatchObject([{ state: 'failed', status: null, error: 'inside' }])
  expect(at('/inside')).toEqual([])
  const refused = [
    'http://example.org/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://user:word@example.org/',
    'ftp://example.org/',
    'nonsense',
  ]
  for (const url of refused) {
    const { status, body } = await ana.call('POST', '/api/webhooks', { url, events: ['run'] })
    expect([status, body.error.code], url).toEqual([400, 'invalid_input'])
    expect((await ana.call('PATCH', `/api/webhooks/${moved.id}`, { url })).status, url).toBe(400)
  }
})

test('[HOOK-8] the queue of a webhook is bounded, what is dropped is counted, and the log keeps the last deliveries', async () => {
  const webhook = await add('/full', { active: false })
  const fill = `
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO webhook_deliveries (id, webhook, event, data, state, created_at, due_at)
    SELECT 'filler_' || i, ?, 'thread', '{}', 'pending', 0, ? FROM n
  `
  const later = Date.now() + 3_600_000
  await changeFile(server.file, fill, webhook.id, later)
  await ana.call('PATCH', `/api/webhooks/${webhook.id}`, { active: true })
  await comment()
  expect(await find(webhook)).toMatchObject({ waiting: 1000, dropped: 1 })
  expect((await find(webhook))?.recent).toEqual(Array.from({ length: 20 }, () => ({ result: 'waiting', at: null })))
  await changeFile(server.file, 'UPDATE webhook_deliveries SET due_at = 0 WHERE cast(substr(id, 8) AS integer) <= 250')
  const kept = (): unknown =>
    server.file.prepare('SELECT count(*) AS n FROM webhook_deliveries WHERE webhook = ?').get(webhook.id)?.['n']
  await until(() => kept() === 950, 'older deliveries are forgotten')
  expect(await log(webhook)).toHaveLength(100)
})

test('[HOOK-9] [RIGHT-12] the log says what each call held, and the titles of documents that are shared with the operator', async () => {
  const webhook = await add('/titles', { events: ['version'] })
  const cleo = await signUp(server.url, await invite(ana), 'Cleo')
  const [own, other] = [await server.create(ana, '# Prices'), await server.create(cleo, '# A secret')]
  for (const [person, { id }] of [
    [ana, own],
    [cleo, other],
  ] as const) {
    await person.call('POST', `/api/documents/${id}/versions`, { name: 'First' })
  }
  const deliveries = await settled(webhook, 2)
  expect(new Set(deliveries.map(({ document }) => document))).toEqual(new Set([own.id, other.id]))
  expect(deliveries.map(({ data }) => data)).toEqual(
    deliveries.map(({ id }) => at('/titles').find(({ headers }) => headers['webhook-id'] === id)?.event.data),
  )
  const { body } = await ana.call<WebhookDeliveryList>('GET', `/api/webhooks/${webhook.id}/deliveries`)
  expect(body.titles).toEqual({ [own.id]: 'Prices' })
})

test('[HOOK-9] only operators see and change webhooks, every change is in the audit log, without the path', async () => {
  const ben = await signUp(server.url, await invite(ana), 'Ben')
  expect((await ben.call('GET', '/api/webhooks')).status).toBe(403)
  const webhook = await add('/secret-path', { description: 'Chat' })
  await ana.call('PATCH', `/api/webhooks/${webhook.id}`, { events: ['run', 'run'], active: false })
  expect(await find(webhook)).toMatchObject({ events: ['run'], active: false, description: 'Chat' })
  await ana.call('DELETE', `/api/webhooks/${webhook.id}`)
  expect(await find(webhook)).toBeUndefined()
  expect((await ana.call('GET', `/api/webhooks/${webhook.id}/deliveries`)).status).toBe(404)
  const { body } = await ana.call<{ entries: { action: string; target: string; details: unknown }[] }>(
    'GET',
    '/api/audit',
  )
  const entries = body.entries.filter(({ target }) => target === webhook.id)
  expect(entries.map(({ action }) => action)).toEqual(['webhook-deleted', 'webhook-changed', 'webhook-made'])
  expect(entries.at(-1)?.details).toEqual({ host: new URL(receiver.origin).host, events: ['thread'], active: true })
  expect(JSON.stringify(body)).not.toContain('secret-path')
})
