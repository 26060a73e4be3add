import { createServer } from 'node:http'
import { createModelServer, type ModelScript, type ModelServer, type WireName } from '@copydesk/agent/testing'
import type { LocalServers, ModelTest, OfferedModels, Provider, ProviderList } from '@copydesk/protocol'
import { listenLocally, until } from '@copydesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callApi } from '../testing/call-api.ts'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'
import { createModelKeys } from './model-keys.ts'

const key = 'sk-test-0123456789-wxyz'
const toolCall = { name: 'confirm', arguments: { word: 'ready' } }
const lists = { anthropic: ['claude-one'], openai: ['gpt-one', 'meta/llama'], gemini: ['gemini-one'] }

/** The answers of the model servers, by the name of the model; by default a call of the tool of the test. */
const scripts = new Map<string, ModelScript>()
const servers = new Map<WireName, ModelServer>()
let server: TestServer
let ana: AccountHolder

beforeAll(async () => {
  for (const provider of ['anthropic', 'openai', 'gemini'] as const) {
    const script: ModelScript = (request) => scripts.get(request.model)?.(request) ?? { chunks: [{ toolCall }] }
    servers.set(provider, await createModelServer({ provider, script, models: lists[provider] }))
  }
  const localServers = [
    { name: 'Ollama', baseUrl: wire('openai').baseURL },
    { name: 'Away', baseUrl: await closedAddress() },
  ]
  // The environment's own model answers, too.
  server = await startTestServer(
    { AUTH: 'accounts', ...wire('openai').environment, AGENT_MODEL: 'own' },
    { localServers },
  )
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(async () => {
  await server.dispose()
  for (const each of servers.values()) await each.close()
})
afterEach(async () => {
  for (const { id, source } of (await list()).providers) {
    if (source === 'operator') await ana.call('DELETE', `/api/providers/${id}`)
  }
  scripts.clear()
})

function wire(name: WireName): ModelServer {
  const found = servers.get(name)
  if (!found) throw new Error(`${name} is not played`)
  return found
}

async function closedAddress(): Promise<string> {
  const { origin, close } = await listenLocally(createServer())
  await close()
  return origin
}

async function list(): Promise<ProviderList> {
  return (await ana.call<ProviderList>('GET', '/api/providers')).body
}

async function add(service: WireName, more: object = {}): Promise<Provider> {
  const given = {
    name: `Our ${service}`,
    service,
    baseUrl: wire(service).baseURL,
    apiKey: key,
    models: lists[service],
    ...more,
  }
  const { status, body } = await ana.call<Provider>('POST', '/api/providers', given)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function tryOut(ref: string): Promise<ModelTest> {
  const { status, body } = await ana.call<ModelTest>('POST', '/api/providers/test', { model: ref })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

type Run = { id: string; status: string; answer: string | null; error?: { code: string; message: string } }

async function ask(text: string): Promise<{ over(): Promise<Run>; id: string }> {
  const { id: document } = await server.create(ana, '# Prices')
  const call = callApi(server.url, ana.token, document)
  const { body } = await call<{ run: { id: string } }>('POST', '/messages', { text })
  const read = async (): Promise<Run> => (await call<Run>('GET', `/runs/${body.run.id}`)).body
  const isOver = async (): Promise<boolean> => ['completed', 'failed'].includes((await read()).status)
  return {
    id: body.run.id,
    async over() {
      await until(isOver, 'the run is over')
      return read()
    },
  }
}

const choose = async (ref: string): Promise<number> =>
  (await ana.call('PUT', '/api/providers/default', { model: ref })).status

test('[MODEL-1] [MODEL-2] two providers answer at once in two runs, each as the default when its run began; else that of the environment', async () => {
  const held = Promise.withResolvers<void>()
  scripts.set('claude-one', async () => {
    await held.promise
    return 'Claude says hello.'
  })
  scripts.set('gemini-one', () => 'Gemini says hello.')
  scripts.set('own', () => 'The environment says hello.')
  const claude = await add('anthropic')
  const gemini = await add('gemini')
  expect((await list()).defaultModel).toBe('environment')
  expect(await choose(`${claude.id}/claude-one`)).toBe(200)
  const first = await ask('hello')
  await until(() => wire('anthropic').requests.length > 0, 'the first model is asked')
  expect(await choose(`${gemini.id}/gemini-one`)).toBe(200)
  const { agent } = (await ana.call<{ agent: unknown }>('GET', '/api/me')).body
  expect(agent).toEqual({ provider: 'gemini', model: 'gemini-one', mayConfigure: true })
  expect(await (await ask('hello')).over()).toMatchObject({ status: 'completed', answer: 'Gemini says hello.' })
  held.resolve()
  expect(await first.over()).toMatchObject({ status: 'completed', answer: 'Claude says hello.' })
  expect(wire('anthropic').requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
  await ana.call('DELETE', `/api/providers/${gemini.id}`)
  const last = await ask('hello')
  expect(await last.over()).toMatchObject({ answer: 'The environment says hello.' })
  const models = [first.id, last.id].map((id) => server.file.prepare('SELECT model FROM runs WHERE id = ?').get(id))
  expect(models).toEqual([{ model: 'claude-one' }, { model: 'own' }])
})

test('[MODEL-3] models have prices and a window; the environment’s model only those', async () => {
  const { id } = await add('openai', { models: [] })
  const put = {
    model: 'meta/llama',
    inputPrice: 0.25,
    outputPrice: 1.5,
    temperature: 0.3,
    maxOutputTokens: 4000,
    contextTokens: 32_000,
  }
  const { body } = await ana.call<Provider>('PUT', `/api/providers/${id}/models`, put)
  expect(body.models).toEqual([{ ref: `${id}/meta/llama`, ...put, agents: [] }])
  expect(await choose(`${id}/meta/llama`)).toBe(200)
  expect(await choose(`${id}/unknown`)).toBe(404)
  const agent = { handle: 'editor', name: 'Editor', color: '#112233', model: `${id}/meta/llama` }
  expect((await ana.call('POST', '/api/agents', agent)).status).toBe(201)
  expect((await list()).providers[0]?.models).toMatchObject([{ agents: ['Editor'] }])
  expect((await list()).defaultModel).toBe(`${id}/meta/llama`)
  const own = { model: 'own', inputPrice: 3, outputPrice: 15, contextTokens: 200_000 }
  expect((await ana.call('PUT', '/api/providers/environment/models', own)).status).toBe(200)
  expect((await ana.call('PUT', '/api/providers/environment/models', { ...own, temperature: 1 })).status).toBe(400)
  expect((await ana.call('PUT', '/api/providers/environment/models', { model: 'other' })).status).toBe(400)
  expect((await ana.call('PUT', '/api/providers/environment/models', { ...own, contextTokens: 15_999 })).status).toBe(
    400,
  )
  const { providers, defaultContextTokens } = await list()
  expect(defaultContextTokens).toBe(100_000)
  expect(providers.map(({ source }) => source)).toEqual(['operator', 'environment', 'builtin'])
  expect(providers[1]?.models).toMatchObject([{ ref: 'environment', ...own }])
  expect((await ana.call('DELETE', `/api/providers/${id}/models?model=meta%2Fllama`)).status).toBe(200)
  expect((await list()).defaultModel).toBe('environment')
})

test('[MODEL-4] [MODEL-9] a key is in no answer, log, audit entry or stored row, and only operators come near it', async () => {
  const ben = await signUp(server.url, await invite(ana), 'Ben')
  const { id } = await add('openai')
  scripts.set('gpt-one', () => ({ error: { status: 401, message: `Incorrect API key provided: ${key}` } }))
  const other = 'sk-other-9876543210-abcd'
  type AuditEntries = { entries: { action: string; target: string; details: unknown }[] }
  const listed = await ana.call('GET', '/api/providers')
  const tested = await ana.call('POST', '/api/providers/test', { model: `${id}/gpt-one` })
  const changed = await ana.call('PATCH', `/api/providers/${id}`, { apiKey: other, name: 'Renamed' })
  const audited = await ana.call<AuditEntries>('GET', '/api/audit')
  expect(JSON.stringify(tested.body)).toContain('Incorrect API key provided: …')
  expect(changed.body).toMatchObject({ name: 'Renamed', key: 'stored', keyEnd: 'abcd' })
  const stored = server.file.prepare('SELECT * FROM model_providers WHERE id = ?').get(id)
  for (const secret of [key, other]) {
    expect(JSON.stringify([listed, tested, changed, audited, stored]) + server.logged()).not.toContain(secret)
  }
  const { entries } = audited.body
  expect(entries.filter(({ target }) => target === id).map(({ action, details }) => [action, details])).toEqual([
    ['provider-changed', { name: 'Renamed', key: 'replaced' }],
    ['provider-made', { name: 'Our openai', service: 'openai', host: new URL(wire('openai').baseURL).host }],
  ])
  expect((await ben.call('GET', '/api/providers')).status).toBe(403)
})

test('[MODEL-11] a provider gets no name that another has, in any letter case', async () => {
  const [{ id }, other] = [await add('openai'), await add('gemini')]
  const make = (name: string) => ana.call('POST', '/api/providers', { name, service: 'openai' })
  const rename = async (name: string) => (await ana.call('PATCH', `/api/providers/${id}`, { name })).status
  // Those of the environment and the built-in agent are in the list, too.
  for (const name of ['OUR OPENAI', ' Our openai ', 'openai', 'Built-in agent'])
    expect(await make(name), name).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: 'Another provider has this name.', hint: 'Choose another name.' } },
    })
  expect(await rename(other.name)).toBe(409)
  expect(await rename('OUR OpenAI')).toBe(200)
  await changeFile(server.file, 'UPDATE model_providers SET name = ? WHERE id = ?', other.name, id)
  expect(await rename(other.name)).toBe(200)
})

test('[MODEL-5] a key is sent only to the host it was entered for', async () => {
  const { id } = await add('openai')
  const sameHost = `${new URL(wire('openai').baseURL).origin}/other`
  const moved = await ana.call<Provider>('PATCH', `/api/providers/${id}`, { baseUrl: sameHost })
  expect(moved.body.key).toBe('stored')
  const { body } = await ana.call<Provider>('PATCH', `/api/providers/${id}`, { baseUrl: wire('gemini').baseURL })
  expect(body).toMatchObject({ key: 'none', keyEnd: null, baseUrl: wire('gemini').baseURL })
  // Also if the row was changed without the server.
  await ana.call('PATCH', `/api/providers/${id}`, { apiKey: key })
  await changeFile(server.file, 'UPDATE model_providers SET base_url = ? WHERE id = ?', wire('openai').baseURL, id)
  expect((await list()).providers.find((each) => each.id === id)?.key).toBe('unreadable')
  for (const baseUrl of ['ftp://example.org', 'https://user:word@example.org', 'https://example.org/?key=1', 'none']) {
    expect((await ana.call('PATCH', `/api/providers/${id}`, { baseUrl })).status, baseUrl).toBe(400)
  }
})

test('[MODEL-6] under another SECRET keys have to be entered again, and runs say so', async () => {
  const { id } = await add('openai')
  const place = { id, service: 'openai', base_url: wire('openai').baseURL }
  const sealed = createModelKeys('the secret of an earlier start, long enough').seal(key, place)
  await changeFile(server.file, 'UPDATE model_providers SET api_key = ? WHERE id = ?', sealed, id)
  expect((await list()).providers.find((each) => each.id === id)).toMatchObject({ key: 'unreadable', keyEnd: 'wxyz' })
  expect(await tryOut(`${id}/gpt-one`)).toMatchObject({ problem: 'locked' })
  await choose(`${id}/gpt-one`)
  const { error } = await (await ask('hello')).over()
  expect(error?.message).toContain('An operator enters it again on the page “Models”')
  await ana.call('PATCH', `/api/providers/${id}`, { apiKey: key })
  expect(await tryOut(`${id}/gpt-one`)).toMatchObject({ problem: null })
})

test('[MODEL-7] a test says what is wrong', async () => {
  const { id } = await add('openai')
  const ref = `${id}/gpt-one`
  expect(await tryOut(ref)).toMatchObject({ problem: null, detail: null, durationMs: expect.any(Number) })
  expect(wire('openai').requests.at(-1)).toMatchObject({ model: 'gpt-one', tools: ['confirm'] })
  const refusals: [status: number, message: string, problem: string][] = [
    [401, 'Incorrect API key', 'key'],
    [403, 'Not for you', 'key'],
    [404, 'The model does not exist', 'no-model'],
    [400, 'gpt-one does not support tools', 'no-tools'],
    [400, 'Bad temperature', 'rejected'],
    [429, 'Slow down', 'limit'],
    [503, 'Busy', 'overloaded'],
  ]
  for (const [status, message, problem] of refusals) {
    scripts.set('gpt-one', () => ({ error: { status, message } }))
    expect(await tryOut(ref), message).toMatchObject({ problem, detail: expect.stringContaining(message) })
  }
  scripts.set('gpt-one', () => 'I know no tools.')
  expect(await tryOut(ref)).toMatchObject({ problem: 'no-tools', detail: 'I know no tools.' })
  scripts.set('gpt-one', () => ({ chunks: [{ tear: true }] }))
  expect((await tryOut(ref)).problem).toBe('unreachable')
  expect((await tryOut(`${id}/removed`)).problem).toBe('removed')
  const elsewhere: [baseUrl: string, problem: string][] = [
    [await closedAddress(), 'refused'],
    ['http://no-such-host.invalid/v1', 'unknown-host'],
    [wire('openai').baseURL.replace('http:', 'https:'), 'certificate'],
    // The server itself isn't a model service.
    [`${server.url}/v1`, 'address'],
  ]
  for (const [baseUrl, problem] of elsewhere) {
    await ana.call('PATCH', `/api/providers/${id}`, { baseUrl, apiKey: key })
    expect((await tryOut(ref)).problem, baseUrl).toBe(problem)
  }
})

test('[MODEL-8] local servers are found until a provider uses them, and providers list their models', async () => {
  const find = async (): Promise<unknown> => (await ana.call<LocalServers>('GET', '/api/providers/local')).body.servers
  const { baseURL } = wire('openai')
  expect(await find()).toEqual([{ name: 'Ollama', baseUrl: baseURL, models: lists.openai }])
  const { id } = await add('openai', { apiKey: undefined })
  expect(await find()).toEqual([])
  const offered = async (): Promise<OfferedModels> =>
    (await ana.call<OfferedModels>('GET', `/api/providers/${id}/models`)).body
  expect(await offered()).toEqual({ models: lists.openai, problem: null, detail: null })
  await ana.call('PATCH', `/api/providers/${id}`, { baseUrl: await closedAddress() })
  expect(await offered()).toMatchObject({ models: [], problem: 'refused' })
})

test('[MODEL-10] without accounts only the machine’s own user sets models up', async () => {
  const local = await startTestServer()
  try {
    const { token } = await local.signIn('Ana')
    const call = callApi(local.url, token, '')
    expect((await call('GET', '/api/me')).body).toMatchObject({ auth: 'open', agent: { mayConfigure: true } })
    // The environment sets no model: the first added model becomes the default, which can be changed back.
    const given = { name: 'Ollama', service: 'openai', baseUrl: wire('openai').baseURL, models: lists.openai }
    const { body } = await call<Provider>('POST', '/api/providers', given)
    const { defaultModel } = (await call<ProviderList>('GET', '/api/providers')).body
    expect(defaultModel).toBe(`${body.id}/gpt-one`)
    expect((await call('PUT', '/api/providers/default', { model: 'builtin' })).body).toMatchObject({
      defaultModel: 'builtin',
    })
  } finally {
    await local.dispose()
  }
})
