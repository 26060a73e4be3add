import type { Run } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { expect, test } from 'vitest'
import { connectMcp } from '../../apps/server/src/testing/mcp-client.ts'
import { signIn } from '../support/client.ts'
import { startCopydesk } from '../support/copydesk.ts'

test('[MCP-15] an agent goes on in the same run after the server was killed while its change waited', async () => {
  const server = await startCopydesk()
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id: document } = await ana.create({ markdown: 'One. Two.' })
    const path = `/api/documents/${document}`
    const runs = async () => (await ana.call<{ runs: Run[] }>('GET', `${path}/runs`)).body.runs
    await ana.call('PATCH', path, { agentMode: 'ask' })
    const agent = await connectMcp(server.url, ana.token)
    await agent.call('read_document', { document })
    const asked = agent.call('edit_document', { document, block: 0, find: 'One', replace: 'Three' }).catch(() => 'lost')
    await until(async () => (await runs())[0]?.status === 'awaiting_approval', 'the change waits')
    await server.restart()
    expect(await asked).toBe('lost')

    const [run] = await runs()
    const call = run?.steps.at(-1)?.id ?? ''
    await ana.call('POST', `${path}/runs/${run?.id}/approvals/${call}`, { decision: 'approve' })
    expect(await agent.call('wait_for_result', { document, call })).toContain('Replaced "One" by "Three"')
    expect(await agent.call('read_document', { document })).toContain('[0] Three. Two.')
    expect(await runs()).toHaveLength(1)
    expect(await ana.markdown(document)).toBe('Three. Two.\n')
  } finally {
    await server.dispose()
  }
})
