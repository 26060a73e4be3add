import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import type { ErrorBody, Run } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

const edit = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })
const read = { toolCall: { name: 'read_document', arguments: {} } }
const refused = new Set<string>()

const play: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('refuse') && results.length === 1 && !refused.has(lastUser)) {
    refused.add(lastUser)
    return { error: { status: 400, message: 'Not like this.' } }
  }
  if (results.length === 0) return { chunks: [{ text: ' I look first. ' }, read] }
  if (results.length === 1) return { chunks: [{ text: 'I mend it.' }, edit('teh', 'the'), edit('unicorn', 'horse')] }
  return 'Done.'
}

let model: ModelServer
let server: Copydesk
beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script: play })
  server = await startCopydesk(model.environment)
})
afterAll(async () => {
  await server.dispose()
  await model.close()
})

async function setUp() {
  const ana = await signIn(server.url, 'Ana')
  const { id } = await ana.create({ markdown: 'teh cat\n\na dog' })
  return { ana, id, peer: await join(server.url, ana.token, id) }
}

test('[RUN-17] a step keeps what was said before it, which answer made it, what it read, changed, or why it failed', async () => {
  const { ana, id, peer } = await setUp()
  const { run } = await ana.ask(id, 'fix it')
  const done = await ended(peer, run.id)
  expect(done.steps).toMatchObject([
    { round: 1, said: 'I look first.', read: expect.stringContaining('teh cat') },
    { round: 2, said: 'I mend it.', changes: [{ before: 'teh cat', after: 'the cat' }] },
    {
      round: 2,
      status: 'error',
      error: {
        message: expect.stringContaining('unicorn'),
        hint: expect.any(String),
        localizable: { message: { key: '"{0}" isn\'t in the document.', values: ['unicorn'] } },
      },
    },
  ])
  expect(done.steps[2]?.said).toBeUndefined()
  expect(done.steps[1]?.read).toBeUndefined()
  // A client that doesn't know steps still has the whole text.
  await until(() => peer.messages().at(-1)?.status === 'complete', 'the answer is complete')
  expect(peer.messages().at(-1)?.text).toBe('I look first.\n\nI mend it.\n\nDone.')
  expect((await ana.run(id, run.id)).steps).toEqual(done.steps)
  peer.close()
})

test('[APP-16] a failed run does once more what it failed at, in the same run, and nothing that it has done already', async () => {
  const { ana, id, peer } = await setUp()
  const { run } = await ana.ask(id, 'refuse once')
  const failed = await ended(peer, run.id)
  expect(failed).toMatchObject({ status: 'failed', rounds: 1, error: { code: 'invalid_request' } })
  const path = `/api/documents/${id}/runs/${run.id}/continue`
  const again = await ana.call<Run>('POST', path)
  expect(again).toMatchObject({ status: 200, body: { status: 'queued', maxRounds: failed.maxRounds } })
  expect(again.body.error).toBeUndefined()
  await until(() => peer.runs().find((each) => each.id === run.id)?.status === 'completed', 'it is completed')
  const done = await ana.run(id, run.id)
  expect(done.steps.map(({ tool }) => tool)).toEqual(['read_document', 'edit_document', 'edit_document'])
  expect(done.steps.map(({ round }) => round)).toEqual([1, 2, 2])
  expect(blockTexts(peer.fragment)).toEqual(['the cat', 'a dog'])
  expect(await ana.call<ErrorBody>('POST', path)).toMatchObject({ status: 409 })
  peer.close()
})

test('[BUDGET-4] a failed run is refused while a budget of today is used up, and tried again when only its own is', async () => {
  const { ana, id, peer } = await setUp()
  const none = { tokens: null, cost: null }
  const unlimited = { run: none, person: none, agent: none, server: none }
  const limit = (scope: 'run' | 'person') =>
    ana.call('PUT', '/api/usage/budgets', { ...unlimited, [scope]: { tokens: 1, cost: null } })
  const { run } = await ana.ask(id, 'refuse twice')
  expect(await ended(peer, run.id)).toMatchObject({ status: 'failed', error: { code: 'invalid_request' } })
  const path = `/api/documents/${id}/runs/${run.id}/continue`
  await limit('person')
  expect(await ana.call<ErrorBody>('POST', path)).toMatchObject({
    status: 429,
    body: { error: { code: 'budget_exceeded' } },
  })
  await limit('run')
  expect(await ana.call<Run>('POST', path)).toMatchObject({ status: 200 })
  await until(() => peer.runs().find((each) => each.id === run.id)?.status === 'limit_reached', 'it ends at its limit')
  await ana.call('PUT', '/api/usage/budgets', unlimited)
  peer.close()
})

test('[RUN-18] the agent’s mode is in the room at once, for everybody', async () => {
  const { ana, id, peer } = await setUp()
  const settings = peer.room.document.getMap('settings')
  expect(settings.toJSON()).toEqual({})
  await ana.call('PATCH', `/api/documents/${id}`, { agentMode: 'ask' })
  await until(() => settings.get('agentMode') === 'ask', 'the room tells of the mode')
  expect((await ana.call<{ agentMode: string }>('GET', `/api/documents/${id}`)).body.agentMode).toBe('ask')
  peer.close()
})
