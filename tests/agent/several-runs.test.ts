import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import type { ErrorBody, Run } from '@copydesk/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

const edit = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })
const search = (query: string) => ({ toolCall: { name: 'search_document', arguments: { query } } })
const read = { toolCall: { name: 'read_document', arguments: {} } }

/** Lets requests go on together: each waits until `count` of them have arrived. */
function createBarrier(count: number) {
  let release: () => void = () => undefined
  const open = new Promise<void>((resolve) => (release = resolve))
  let arrived = 0
  return async (): Promise<void> => {
    arrived += 1
    if (arrived >= count) release()
    await open
  }
}

let barrier = createBarrier(2)

/** "replace: a -> b" replaces in one round when all runs have read; "count: 4" needs five rounds. */
const play: ModelScript = async ({ lastUser, results, tools, messages }) => {
  const replace = /^replace: (.*) -> (.*)$/.exec(lastUser)
  if (replace) {
    if (results.length === 0) return { chunks: [read] }
    if (results.length > 1) return `It said: ${results.at(-1)}`
    await barrier()
    return { chunks: [edit(replace[1] ?? '', replace[2] ?? '')] }
  }
  if (lastUser === 'find') return results.length === 0 ? { chunks: [search('word')] } : `It said: ${results.join()}`
  if (tools.length === 0) return 'I stop here.'
  const done = JSON.stringify(messages).split('result of search_document').length - 1
  if (done >= 4) return 'All four are found.'
  return { chunks: [search(`word ${done}`)] }
}

let model: ModelServer
let server: Copydesk

beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script: play })
  server = await startCopydesk({ ...model.environment, AGENT_MAX_ROUNDS: '3', TOOL_LIMITS: '{"searchMatches": 2}' })
})

afterAll(async () => {
  await server.dispose()
  await model.close()
})

describe('several runs at once', () => {
  test.each([1, 2, 3, 4, 5])(
    '[APP-10] two runs that replace the same word at the same moment: one does, the other learns of it (%i)',
    async () => {
      barrier = createBarrier(2)
      const [ana, bo] = [await signIn(server.url, 'Ana'), await signIn(server.url, 'Bo')]
      const { id } = await ana.create({ markdown: 'teh cat sat' })
      const peer = await join(server.url, ana.token, id)
      const asked = await Promise.all([ana.ask(id, 'replace: teh -> the'), bo.ask(id, 'replace: teh -> THIS')])
      const runs = await Promise.all(asked.map(({ run }) => ended(peer, run.id)))
      const statuses = runs.map(({ steps }) => steps.at(-1)?.status)
      expect(new Set(statuses)).toEqual(new Set(['error', 'ok']))
      const winner = statuses[0] === 'ok' ? 'the' : 'THIS'
      expect(blockTexts(peer.fragment)).toEqual([`${winner} cat sat`])
      const loser = runs.find(({ steps }) => steps.at(-1)?.status === 'error')
      expect(loser?.answer).toMatch(/Error \((not_found|stale)\)/)
      peer.close()
    },
  )

  test('[APP-10] each of them has its caret in the text', async () => {
    barrier = createBarrier(2)
    const [ana, bo] = [await signIn(server.url, 'Ana'), await signIn(server.url, 'Bo')]
    const { id } = await ana.create({ markdown: 'teh cat\n\nteh dog' })
    const peer = await join(server.url, ana.token, id)
    const carets = () =>
      [...(peer.content.awareness?.getStates().values() ?? [])].flatMap((state) =>
        state.user?.kind === 'agent' && state.cursor ? [state.user.invokedBy] : [],
      )
    const seen = new Set<string>()
    peer.content.awareness?.on('change', () => carets().forEach((caller) => seen.add(caller)))
    const asked = await Promise.all([ana.ask(id, 'replace: cat -> kitten'), bo.ask(id, 'replace: dog -> puppy')])
    await Promise.all(asked.map(({ run }) => ended(peer, run.id)))
    expect(blockTexts(peer.fragment)).toEqual(['teh kitten', 'teh puppy'])
    await until(() => seen.has(ana.user.id) && seen.has(bo.user.id), 'both carets were seen')
    peer.close()
  })
})

describe('continue', () => {
  test('[APP-9] a run at its limit gets as many rounds again; its answer grows in the same message', async () => {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'text' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'count: 4')
    const limited = await ended(peer, run.id)
    expect(limited).toMatchObject({ status: 'limit_reached', rounds: 3, maxRounds: 3, answer: 'I stop here.' })
    await until(() => peer.messages().at(-1)?.status === 'complete', 'the answer is complete')

    const path = `/api/documents/${id}/runs/${run.id}/continue`
    const continued = await ana.call<Run>('POST', path)
    expect(continued).toMatchObject({ status: 200, body: { status: 'queued', maxRounds: 6 } })
    expect(continued.body.endedAt).toBeUndefined()
    expect(await ana.call<ErrorBody>('POST', path)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    })
    await until(() => peer.runs().find((each) => each.id === run.id)?.status === 'completed', 'it is completed')
    expect(await ana.run(id, run.id)).toMatchObject({ rounds: 5, answer: 'All four are found.' })
    expect(
      model.requests
        .at(-1)
        ?.messages.map((message) => JSON.stringify(message))
        .join(),
    ).toContain('Go on.')

    const said = 'I stop here.\n\nAll four are found.'
    await until(() => peer.messages().at(-1)?.status === 'complete', 'the answer is complete again')
    expect(peer.messages().map(({ text }) => text)).toEqual(['count: 4', said])
    const stored = await ana.call<{ messages: { text: string }[] }>('GET', `/api/documents/${id}/messages`)
    expect(stored.body.messages.map(({ text }) => text)).toEqual(['count: 4', said])
    expect(await ana.call<ErrorBody>('POST', path)).toMatchObject({ status: 409 })
    expect(await ana.call('POST', `/api/documents/${id}/runs/nope/continue`)).toMatchObject({ status: 404 })
    peer.close()
  })
})

test('[CONF-7] TOOL_LIMITS holds for the tools of every run', async () => {
  const ana = await signIn(server.url, 'Ana')
  const { id } = await ana.create({ markdown: 'word\n\nword\n\nword' })
  const peer = await join(server.url, ana.token, id)
  const { run } = await ana.ask(id, 'find')
  expect((await ended(peer, run.id)).answer).toContain('1 more')
  peer.close()
})
