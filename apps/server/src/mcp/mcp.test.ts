import type { Authorship, CreatedKey, DocumentSummary, Run } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../testing/call-api.ts'
import { connectMcp, type McpAgent } from '../testing/mcp-client.ts'
import { type AccountHolder, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestEditor, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder
let key: CreatedKey

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  key = (await ana.call<CreatedKey>('POST', '/api/auth/keys', { name: 'Claude Code', scope: 'write' })).body
})

afterAll(() => server.dispose())

const textOf = ({ doc }: TestEditor): string => doc.getXmlFragment(contentTypes.fragment).toString()

function agentsOf({ provider }: TestEditor): Record<string, unknown>[] {
  const states = [...(provider.awareness?.getStates().values() ?? [])]
  return states.filter(({ user }) => (user as { kind?: string } | undefined)?.kind === 'agent')
}

async function runsOf(document: string): Promise<Run[]> {
  return (await ana.call<{ runs: Run[] }>('GET', `/api/documents/${document}/runs`)).body.runs
}

/** A document that Ana has open, and her agent. */
async function openScene(markdown: string, isOld = false) {
  const { id } = await server.create(ana, markdown)
  const editor = await server.join(ana.token, id)
  const agent = await connectMcp(server.url, key.key, isOld)
  return { id, editor, agent, tell: callApi(server.url, ana.token, id) }
}

test.each([
  ['2026', false],
  ['2025', true],
])(
  '[MCP-1] with the protocol of %s an agent works in a document as a peer and a run that people can undo',
  async (_, isOld) => {
    const { id, editor, agent, tell } = await openScene('# Plan\n\nThe price is low.', isOld)
    expect(await agent.call('list_documents', { query: 'price' })).toContain(id)
    expect(await agent.call('open_document', { document: id })).toContain('Title: Plan')
    await until(() => agentsOf(editor).length === 1, 'the agent is here')
    expect(await agent.call('read_document', { document: id })).toContain('[1] The price is low.')
    expect(await agent.call('edit_document', { document: id, find: 'low', replace: 'fair' })).toContain('Replaced')
    await until(() => textOf(editor).includes('The price is fair.'), 'the edit is here')
    await until(() => Boolean(agentsOf(editor)[0]?.['cursor']), 'its caret is here')
    expect(agentsOf(editor)[0]).toMatchObject({ user: { name: 'Claude Code', invokedBy: ana.user.id } })

    await agent.call('close_document', { document: id, summary: 'Set the price.' })
    await until(() => agentsOf(editor).length === 0, 'the agent has left')
    const [run] = await runsOf(id)
    expect(run).toMatchObject({
      status: 'completed',
      agentName: 'Claude Code',
      answer: 'Set the price.',
      trigger: { kind: 'api' },
      invokedBy: { id: ana.user.id },
      steps: [{ tool: 'get_document_info' }, { tool: 'read_document' }, { tool: 'edit_document', changed: true }],
    })
    expect(server.rows(id).at(-1)).toMatchObject({ actor: 'agent', run: run?.id })
    const { runs } = (await tell<Authorship>('GET', '/authorship')).body
    expect(runs).toMatchObject([{ id: run?.id, agentName: 'Claude Code', invokedBy: { name: 'Ana' } }])
    expect((await tell('POST', `/runs/${run?.id}/undo`)).status).toBe(200)
    await until(() => textOf(editor).includes('The price is low.'), 'the edit is undone')
    editor.close()
  },
)

test('[MCP-2] a person stops an agent: it goes on only after it has opened the document again', async () => {
  const { id, editor, agent, tell } = await openScene('One.')
  await agent.call('read_document', { document: id })
  const [run] = await runsOf(id)
  expect((await tell<Run>('POST', `/runs/${run?.id}/stop`)).body.status).toBe('stopped')
  await until(() => agentsOf(editor).length === 0, 'the agent has left')
  expect(await agent.fail('edit_document', { document: id, find: 'One', replace: 'Two' })).toContain('has stopped you')
  expect(textOf(editor)).toContain('One.')
  await agent.call('open_document', { document: id })
  await agent.call('edit_document', { document: id, find: 'One', replace: 'Two' })
  await until(() => textOf(editor).includes('Two.'), 'the edit is here')
  editor.close()
})

test('[MCP-3] a new mode of the document holds for the next call, and block numbers stay valid', async () => {
  const { id, editor, agent, tell } = await openScene('One.\n\nTwo.')
  await agent.call('read_document', { document: id })
  await tell('PATCH', '', { agentMode: 'suggest' })
  await agent.call('edit_document', { document: id, block: 1, find: 'Two', replace: 'Three' })
  const { changes } = (await tell<{ changes: unknown[] }>('GET', '/changes')).body
  expect(changes).toMatchObject([{ author: { name: 'Claude Code', kind: 'agent' } }])
  expect((await runsOf(id)).map(({ mode }) => mode)).toEqual(['suggest', 'edit'])
  editor.close()
})

test('[MCP-4] what agents have open leaves room for the requests of their person, also in the same document', async () => {
  const agent = await connectMcp(server.url, await newKey('Reader', 'read'))
  // As many as can be executed concurrently for one person.
  const made = await Promise.all([0, 1, 2, 3].map((index) => server.create(ana, `Fees ${index}.`)))
  await Promise.all(made.map(({ id: document }) => agent.call('read_document', { document })))
  const [{ id } = { id: '' }] = made
  await callApi(server.url, ana.token, id)('POST', '/messages', { text: 'replace Fees with Prices' })
  const isDone = async () => (await runsOf(id))[0]?.status === 'completed'
  await until(isDone, 'her own run is done')
  const [own] = await runsOf(id)
  expect(own).toMatchObject({ trigger: { kind: 'chat' }, status: 'completed' })
  expect(own?.steps.at(-1)).toMatchObject({ tool: 'edit_document', changed: true })
})

async function newKey(name: string, scope: string): Promise<string> {
  return (await ana.call<CreatedKey>('POST', '/api/auth/keys', { name, scope })).body.key
}

test('[MCP-5] documents are resources in pages, with their text as markdown; common jobs are prompts', async () => {
  const { id, editor, agent } = await openScene('# Resource\n\n**Bold** text.')
  const { client } = agent
  const { resources } = await client.listResources()
  expect(resources).toContainEqual(expect.objectContaining({ uri: `copydesk://documents/${id}`, name: 'Resource' }))
  const { contents } = await client.readResource({ uri: `copydesk://documents/${id}` })
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Resource\n\n**Bold** text.\n' }])
  for (const uri of ['copydesk://documents/none', 'copydesk://documents/../me', 'file:///etc/passwd']) {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 })
  }
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toContain('fix_typos')
  const { messages } = await client.getPrompt({ name: 'review', arguments: { document: id, focus: 'figures' } })
  expect(JSON.stringify(messages)).toContain(`document: ${id}\\nfocus: figures`)
  await expect(client.getPrompt({ name: 'review' })).rejects.toMatchObject({ code: -32_602 })
  editor.close()
})

test('[MCP-6] an agent creates a document, which is its owner’s and recorded as every other', async () => {
  const { agent, editor } = await openScene('Something.')
  const text = await agent.call('create_document', { markdown: '# Made by an agent\n\nText.' })
  const id = /id (\S+)\.$/.exec(text)?.[1] ?? ''
  const found = await ana.call<DocumentSummary>('GET', `/api/documents/${id}`)
  expect(found.body).toMatchObject({ title: 'Made by an agent', role: 'owner' })
  const { client }: McpAgent = agent
  const { tools } = await client.listTools()
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false })
  const edit = tools.find(({ name }) => name === 'edit_document')
  expect(edit).toMatchObject({ inputSchema: { required: ['document'] }, annotations: { readOnlyHint: false } })
  editor.close()
})
