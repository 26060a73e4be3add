import type { CreatedKey, Run } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../testing/call-api.ts'
import { connectMcp } from '../testing/mcp-client.ts'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder
let ben: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  ben = await signUp(server.url, await invite(ana), 'Ben')
})

afterAll(() => server.dispose())

async function newKey(holder: AccountHolder, scope: string): Promise<CreatedKey> {
  return (await holder.call<CreatedKey>('POST', '/api/auth/keys', { name: `a key to ${scope}`, scope })).body
}

async function agentOf(holder: AccountHolder, scope: string) {
  return connectMcp(server.url, (await newKey(holder, scope)).key)
}

async function lastRun(document: string): Promise<Run | undefined> {
  return (await ana.call<{ runs: Run[] }>('GET', `/api/documents/${document}/runs`)).body.runs[0]
}

const share = (document: string, role: string | null) =>
  ana.call('PUT', `/api/documents/${document}/members`, { members: [{ id: ben.user.id, role }] })

test('[MCP-7] the scope of a key decides which tools there are, and what they do', async () => {
  const { id: document } = await server.create(ana, 'One.')
  const reader = await agentOf(ana, 'read')
  const tools = (await reader.client.listTools()).tools.map(({ name }) => name)
  expect(tools).toEqual(expect.arrayContaining(['list_documents', 'open_document', 'read_document', 'read_comments']))
  for (const name of ['create_document', 'edit_document', 'add_comment', 'highlight_text', 'suggest_replacement']) {
    expect(tools).not.toContain(name)
    await expect(reader.client.callTool({ name, arguments: { document } })).rejects.toMatchObject({ code: -32_602 })
  }
  expect(await reader.call('read_document', { document })).toContain('One.')

  const commenter = await agentOf(ana, 'comment')
  await commenter.call('add_comment', { document, search: 'One', text: 'Why?' })
  await commenter.call('edit_document', { document, find: 'One', replace: 'Two' })
  const { changes } = (await ana.call<{ changes: unknown[] }>('GET', `/api/documents/${document}/changes`)).body
  expect(changes).toMatchObject([{ author: { name: 'a key to comment' } }])
  const { threads } = (await ana.call<{ threads: unknown[] }>('GET', `/api/documents/${document}/threads`)).body
  expect(threads).toMatchObject([{ comments: [{ author: { name: 'a key to comment', kind: 'agent' } }] }])
})

test('[MCP-8] an agent may never do more than its owner, in each document and at each call', async () => {
  const { id: document } = await server.create(ana, 'Between us.')
  const agent = await agentOf(ben, 'write')
  const unknown = await agent.fail('open_document', { document: 'no-such-document' })
  for (const tool of ['open_document', 'read_document', 'close_document']) {
    expect(await agent.fail(tool, { document })).toBe(unknown)
  }
  expect(await agent.fail('wait_for_result', { document, call: 'x' })).toBe(unknown)
  expect(await agent.call('list_documents')).not.toContain(document)
  await expect(agent.client.readResource({ uri: `copydesk://documents/${document}` })).rejects.toMatchObject({
    code: -32_602,
  })
  expect(await lastRun(document)).toBeUndefined()

  await share(document, 'viewer')
  expect(await agent.call('read_document', { document })).toContain('Between us.')
  expect(await agent.fail('edit_document', { document, find: 'us', replace: 'all' })).toContain('unknown_tool')
  expect(await agent.fail('add_comment', { document, search: 'us', text: 'Who?' })).toContain('unknown_tool')

  await share(document, null)
  await until(async () => (await lastRun(document))?.status === 'failed', 'its run ends')
  expect((await lastRun(document))?.error?.code).toBe('forbidden')
  expect(await agent.fail('read_document', { document })).toBe(unknown)
})

test('[MCP-9] an agent whose owner loses rights keeps working with the remaining ones', async () => {
  const { id: document } = await server.create(ana, 'One. Two.')
  await share(document, 'commenter')
  const agent = await agentOf(ben, 'write')
  await agent.call('edit_document', { document, find: 'One', replace: 'Three' })
  await share(document, 'viewer')
  await until(async () => (await lastRun(document))?.status === 'failed', 'its run ends')
  expect(await agent.call('read_document', { document })).toContain('Two.')
  expect(await agent.fail('edit_document', { document, find: 'Two', replace: 'Four' })).toContain('unknown_tool')
})

test('[MCP-10] a revoked key ends what its agent has open, and is refused from then on', async () => {
  const { id: document } = await server.create(ana, 'One.')
  const key = await newKey(ana, 'write')
  const agent = await connectMcp(server.url, key.key)
  await agent.call('open_document', { document })
  await ana.call('DELETE', `/api/auth/keys/${key.id}`)
  await until(async () => (await lastRun(document))?.status === 'failed', 'its run ends')
  await expect(agent.call('read_document', { document })).rejects.toThrow('not valid')
  expect(server.logged()).toBe('')
})

/** A request that no MCP client would send. */
async function send(body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as unknown) : text }
}

test('[MCP-11] hostile requests get errors of JSON-RPC: no key, a cookie, a strange origin, bad JSON, too much', async () => {
  const { key } = await newKey(ana, 'write')
  const authorization = `Bearer ${key}`
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const refused = { jsonrpc: '2.0', id: null, error: { data: { code: 'unauthenticated' } } }
  for (const headers of [
    {},
    { authorization: 'Bearer nonsense' },
    { cookie: `copydesk_session=${ana.token}` },
    // A session isn't a key: it would give more access, and ends when its person signs out.
    { authorization: `Bearer ${ana.token}` },
  ]) {
    const answer = await send(ping, headers as Record<string, string>)
    expect(answer).toMatchObject({ status: 401, body: refused })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  }
  const strange = await send(ping, { authorization, origin: 'https://evil.example' })
  expect(strange).toMatchObject({ status: 403, body: { error: { data: { code: 'forbidden' } } } })
  expect(await send('{"jsonrpc":', { authorization })).toMatchObject({
    status: 400,
    body: { error: { code: -32_700 } },
  })
  const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(1_100_000) })
  expect(await send(large, { authorization })).toMatchObject({ status: 413, body: { jsonrpc: '2.0' } })
  expect(await send('[1, null, {}]', { authorization })).toMatchObject({ body: { jsonrpc: '2.0' } })

  const agent = await connectMcp(server.url, key)
  expect(await agent.fail('read_document', {})).toContain('invalid_input: document')
  expect(await agent.fail('list_documents', { cursor: 'nonsense' })).toContain('invalid_input')
  await expect(agent.client.callTool({ name: '__proto__', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
  const { id: document } = await server.create(ana, 'One.')
  expect(await agent.fail('edit_document', { document, find: 3, nonsense: 1 })).toContain('invalid_input')
})

test('[MCP-12] calls over the limit of a minute are refused with the time to wait', async () => {
  const { key } = await newKey(ana, 'read')
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/list' })
  const call = callApi(server.url, key, '')
  const answers = await Promise.all(Array.from({ length: 241 }, () => send(list, { authorization: `Bearer ${key}` })))
  const [refused] = answers.filter(({ status }) => status !== 200)
  expect(refused).toMatchObject({ status: 429, body: { error: { data: { code: 'rate_limited' } } } })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  // The limit applies to the agent, not to its person.
  expect((await call('GET', '/api/me')).status).toBe(200)
})
