import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import type { Change, Thread } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { signIn } from '../support/client.ts'
import { startCopydesk } from '../support/copydesk.ts'

type Threads = { threads: Thread[] }

test('[REV-23] threads, answers and decisions are whole after a server was killed at any of them', async () => {
  let isHeld = true
  const asked: string[] = []
  const script: ModelScript = async ({ messages }) => {
    asked.push(JSON.stringify(messages))
    return isHeld ? { chunks: [{ text: 'Let me' }, { stall: true }] } : { chunks: [{ text: 'It is right.' }] }
  }
  const model = await createModelServer({ provider: 'openai', script })
  const server = await startCopydesk({ ...model.environment, AGENT_PROVIDER: 'openai' })
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'The fee is $5.\n\nWe saw teh cat.' })
    const path = `/api/documents/${id}`
    const started = await ana.call<Thread>('POST', `${path}/threads`, { quote: 'fee', text: '@agent is that right?' })
    const thread = started.body.id
    const suggested = await ana.call<Change>('POST', `${path}/changes`, { quote: 'teh', replaceWith: 'the' })
    await until(() => asked.length > 0, 'the model is asked')

    await server.restart()
    isHeld = false
    const comments = async (): Promise<string[]> => {
      const { threads } = (await ana.call<Threads>('GET', `${path}/threads`)).body
      return threads.find((each) => each.id === thread)?.comments.map(({ text }) => text) ?? []
    }
    await until(async () => (await comments()).length === 2, 'the answer is in the thread')
    expect(await comments()).toEqual(['@agent is that right?', expect.stringContaining('It is right.')])
    expect(asked.at(-1)).toContain('is that right?')

    const accepted = await ana.call('POST', `${path}/changes/${suggested.body.id}`, { decision: 'accept' })
    expect(accepted.status).toBe(200)
    await server.restart()
    expect(await ana.markdown(id)).toContain('We saw the cat.')
    const second = await ana.call('POST', `${path}/changes/${suggested.body.id}`, { decision: 'reject' })
    expect(second.status).toBe(409)
    expect(await comments()).toHaveLength(2)
    expect((await ana.call<{ changes: Change[] }>('GET', `${path}/changes`)).body.changes).toEqual([])
  } finally {
    await server.dispose()
    await model.close()
  }
})
