import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { expect, test } from 'vitest'
import { ended, join, signIn } from '../support/client.ts'
import { startCopydesk } from '../support/copydesk.ts'

const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })

test('a run takes tools and arguments under their earlier names, and refuses arguments that no tool knows', async () => {
  const told: string[] = []
  const script: ModelScript = ({ results }) => {
    told.splice(0, told.length, ...results.map((result) => JSON.stringify(result)))
    if (results.length === 0) return { chunks: [call('replaceText', { searchText: 'teh', newText: 'the' })] }
    if (results.length === 1) return { chunks: [call('edit_document', { find: 'cat', replace: 'dog', ocurrence: 1 })] }
    return 'Done.'
  }
  const model = await createModelServer({ provider: 'anthropic', script })
  const server = await startCopydesk(model.environment)
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'teh cat' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'fix it')
    expect((await ended(peer, run.id)).status).toBe('completed')
    expect(told[0]).toContain('Replaced')
    expect(told[1]).toMatch(/invalid_input.*did you mean occurrence/)
    expect(await ana.markdown(id)).toBe('the cat\n')
    peer.close()
  } finally {
    await server.dispose()
    await model.close()
  }
})
