import type { Run } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiCaller, callApi } from '../testing/call-api.ts'
import { connectMcp, type McpAgent } from '../testing/mcp-client.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  // Every call returns immediately, as after a timeout.
  server = await startTestServer({}, { mcpWaitMs: 1 })
})

afterAll(() => server.dispose())

const decide = async (tell: ApiCaller, call: string, decision: unknown): Promise<number> => {
  const { runs } = (await tell<{ runs: Run[] }>('GET', '/runs')).body
  return (await tell('POST', `/runs/${runs[0]?.id}/approvals/${call}`, decision)).status
}

/** Makes a call, and returns its id when its result contains `text`. */
async function callUntil(agent: McpAgent, tool: string, input: Record<string, unknown>, text: string) {
  const first = await agent.call(tool, input)
  const call = /call "([^"]+)"/.exec(first)?.[1] ?? ''
  const { document } = input
  await until(async () => (await resultOf(agent, document, call)).includes(text), `the result says ${text}`)
  return call
}

async function resultOf({ client }: McpAgent, document: unknown, call: string): Promise<string> {
  const { content } = await client.callTool({ name: 'wait_for_result', arguments: { document, call } })
  return JSON.stringify(content)
}

test('[MCP-13] a change that waits for approval says so, and its result can be asked for whenever it is decided', async () => {
  const session = await server.signIn('Ana')
  const { id: document } = await server.create(session, 'One. Two. Three.')
  const tell = callApi(server.url, session.token, document)
  await tell('PATCH', '', { agentMode: 'ask' })
  const agent = await connectMcp(server.url, session.token)
  const edit = { document, find: 'One', replace: 'Four' }
  const call = await callUntil(agent, 'edit_document', edit, 'a person in the document has to approve')
  // The agent's next calls also wait for that decision, and leaving doesn't decide it.
  const next = await callUntil(agent, 'read_document', { document }, 'until a person has decided')
  expect(await agent.call('close_document', { document })).toContain('once your changes')
  expect(await decide(tell, call, { decision: 'approve', arguments: { find: 'One', replace: 'Five' } })).toBe(200)
  await until(async () => (await resultOf(agent, document, next)).includes('Five. Two. Three.'), 'the text is read')
  expect(await resultOf(agent, document, call)).toContain('Replaced')

  const other = await callUntil(agent, 'edit_document', { ...edit, find: 'Two' }, 'has to approve')
  expect(await decide(tell, other, { decision: 'reject', reason: 'Two is right.' })).toBe(200)
  await until(async () => (await resultOf(agent, document, other)).includes('Two is right.'), 'the reason is here')

  // Only the agent that made a call gets its result.
  const stranger = await connectMcp(server.url, (await server.signIn('Bo')).token)
  expect(await resultOf(stranger, document, call)).toContain('no such call')
})
