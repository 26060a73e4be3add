import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import type { ErrorBody, Run, Step } from '@copydesk/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

const edit = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })
const read = { toolCall: { name: 'read_document', arguments: {} } }

/** The actions of the scripted model, by the first word of the request. It answers with its tools' results. */
const scripts: Record<string, ModelScript> = {
  one: ({ results }) =>
    results.length === 0 ? { chunks: [{ text: 'I propose this.' }, edit('teh', 'the')] } : `It says: ${results.join()}`,
  two: ({ results }) =>
    results.length === 0
      ? { chunks: [edit('teh', 'the'), read, edit('dog', 'hound')] }
      : `It says: ${results.map((result) => result.slice(0, 400)).join(' | ')}`,
  again: ({ results }) => {
    if (results.length === 0) return { chunks: [edit('teh', 'the')] }
    return results.length === 1 ? { chunks: [edit('cat', 'kitten')] } : `It says: ${results.join(' | ')}`
  },
}

let finishSlow: () => void = () => undefined
scripts['slow'] = async () => {
  await new Promise<void>((resolve) => (finishSlow = resolve))
  return 'At last.'
}

const play: ModelScript = (request) => {
  const name = /^\w+/.exec(request.lastUser)?.[0] ?? ''
  return scripts[name]?.(request) ?? `no script for ${request.lastUser}`
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

type Scenario = { ana: TestPerson; peer: TestPeer; document: string; run: string; shown(): Run; text(): string }

/** Asks the agent in mode `ask` and waits until the run waits for a person. */
async function askAndWait(text: string, markdown = 'teh cat\n\na dog'): Promise<Scenario> {
  const ana = await signIn(server.url, 'Ana')
  const { id: document } = await ana.create({ markdown })
  const peer = await join(server.url, ana.token, document)
  const path = `/api/documents/${document}/messages`
  const { run } = (await ana.call<{ run: Run }>('POST', path, { text, mode: 'ask' })).body
  const shown = (): Run => peer.runs().find(({ id }) => id === run.id) ?? run
  await until(() => shown().status === 'awaiting_approval', 'the run waits for approval')
  return { ana, peer, document, run: run.id, shown, text: () => blockTexts(peer.fragment).join(' / ') }
}

const waiting = (run: Run): Step[] => run.steps.filter(({ status }) => status === 'awaiting_approval')

function decide(scenario: Scenario, step: Step | undefined, body: object, by = scenario.ana) {
  const path = `/api/documents/${scenario.document}/runs/${scenario.run}/approvals/${step?.id}`
  return by.call<Run & ErrorBody>('POST', path, body)
}

describe('approvals', () => {
  test('[APP-1] [APP-2] a change waits with its proposal, nobody is in the document meanwhile, and approval applies it', async () => {
    const scenario = await askAndWait('one')
    expect(scenario.text()).toBe('teh cat / a dog')
    const [step] = waiting(scenario.shown())
    expect(step).toMatchObject({ tool: 'edit_document', proposal: [{ before: 'teh', after: 'the' }] })
    const agents = () =>
      [...(scenario.peer.content.awareness?.getStates().values() ?? [])].filter((state) => state.user?.kind === 'agent')
    await until(() => agents().length === 0, 'the agent has left the document')
    expect(scenario.peer.messages().at(-1)).toMatchObject({ text: 'I propose this.', role: 'agent' })

    const answered = await decide(scenario, step, { decision: 'approve' })
    expect(answered).toMatchObject({ status: 200, body: { id: scenario.run } })
    const done = await ended(scenario.peer, scenario.run)
    expect(done).toMatchObject({ status: 'completed', rounds: 2 })
    expect(done.steps).toMatchObject([
      { status: 'ok', approval: { decision: 'approve', by: { name: 'Ana', kind: 'person' } } },
    ])
    expect(scenario.text()).toBe('the cat / a dog')
    await until(() => scenario.peer.messages().at(-1)?.status === 'complete', 'the answer is complete')
    expect(scenario.peer.messages().at(-1)?.text).toMatch(/^I propose this\.\n\nIt says: /)
    scenario.peer.close()
  })

  test('[APP-3] a rejection with its reason reaches the model, and nothing is changed', async () => {
    const scenario = await askAndWait('one')
    const bo = await signIn(server.url, 'Bo')
    await decide(scenario, waiting(scenario.shown())[0], { decision: 'reject', reason: 'It is a name.' }, bo)
    const done = await ended(scenario.peer, scenario.run)
    // [APP-17] The proposal is still shown.
    const proposed = { summary: 'teh → the', proposal: [{ before: 'teh', after: 'the' }] }
    expect(done.steps).toMatchObject([
      {
        status: 'rejected',
        ...proposed,
        approval: { decision: 'reject', by: { name: 'Bo' }, reason: 'It is a name.' },
      },
    ])
    expect(done.answer).toMatch(/rejected[\s\S]*It is a name\.[\s\S]*Ask what they want instead/)
    expect(scenario.text()).toBe('teh cat / a dog')
    scenario.peer.close()
  })

  test('[APP-4] arguments that a person changed are executed, and the result names them to the model', async () => {
    const scenario = await askAndWait('one')
    const changed = { find: 'teh', replace: 'THE' }
    const [step] = waiting(scenario.shown())
    const wrong = await decide(scenario, step, { decision: 'approve', arguments: { find: 'teh', replace: 5 } })
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } })
    await decide(scenario, step, { decision: 'approve', arguments: changed })
    const done = await ended(scenario.peer, scenario.run)
    expect(done.steps).toMatchObject([{ status: 'ok', arguments: changed }])
    expect(scenario.text()).toBe('THE cat / a dog')
    expect(done.answer).toMatch(/other arguments[\s\S]*THE/)
    scenario.peer.close()
  })

  test.each([
    ['the first before the second', [0, 1]],
    ['the second before the first', [1, 0]],
  ])('[APP-6] two calls of one answer, decided %s', async (_, order) => {
    const scenario = await askAndWait('two')
    const steps = waiting(scenario.shown())
    expect(steps.map(({ arguments: given }) => given['find'])).toEqual(['teh', 'dog'])
    expect(scenario.shown().steps.map(({ status }) => status)).toEqual(['awaiting_approval', 'ok', 'awaiting_approval'])
    const first = await decide(scenario, steps[order[0] ?? 0], { decision: 'approve' })
    expect(first.body).toMatchObject({ status: 'awaiting_approval' })
    expect(scenario.text()).toBe('teh cat / a dog')
    await decide(scenario, steps[order[1] ?? 0], { decision: 'approve' })
    const done = await ended(scenario.peer, scenario.run)
    expect(done).toMatchObject({ status: 'completed', rounds: 2 })
    expect(scenario.text()).toBe('the cat / a hound')
    const results = model.requests.at(-1)?.results ?? []
    expect(results.map((result) => /label="([^"]*)"/.exec(result)?.[1])).toEqual([
      'result of edit_document',
      'result of read_document',
      'result of edit_document',
    ])
    scenario.peer.close()
  })

  test('[APP-5] what was approved and no longer fits goes back to the model, which may propose again', async () => {
    const scenario = await askAndWait('again')
    const [step] = waiting(scenario.shown())
    const block = scenario.peer.fragment.get(0) as unknown as {
      get(index: number): { delete(at: number, n: number): void }
    }
    block.get(0).delete(0, 4)
    await scenario.peer.saved()
    await decide(scenario, step, { decision: 'approve' })
    await until(() => scenario.shown().steps[1]?.status === 'awaiting_approval', 'the next proposal waits')
    expect(scenario.shown().steps).toMatchObject([
      { status: 'error' },
      { proposal: [{ before: 'cat', after: 'kitten' }] },
    ])
    await until(() => scenario.shown().status === 'awaiting_approval', 'the run waits again')
    await decide(scenario, waiting(scenario.shown())[0], { decision: 'approve' })
    const { status, steps } = await ended(scenario.peer, scenario.run)
    expect([status, ...steps.map((step) => step.status)]).toEqual(['completed', 'error', 'ok'])
    // The model was given the error of the first call and the result of the second, each as its own.
    const results = model.requests.at(-1)?.results ?? []
    expect(results.map((result) => result.includes('not_found'))).toEqual([true, false])
    expect(scenario.text()).toBe('kitten / a dog')
    scenario.peer.close()
  })

  test('[APP-7] one decision a call; what is unknown, over or not waiting is refused', async () => {
    const scenario = await askAndWait('two')
    const [first, second] = waiting(scenario.shown())
    const reading = scenario.shown().steps.find(({ tool }) => tool === 'read_document')
    expect(await decide(scenario, { ...first!, id: 'nope' }, { decision: 'approve' })).toMatchObject({ status: 404 })
    expect(await decide(scenario, reading, { decision: 'approve' })).toMatchObject({ status: 409 })
    expect(await decide(scenario, first, { decision: 'maybe' })).toMatchObject({ status: 400 })
    await decide(scenario, first, { decision: 'reject' })
    const bo = await signIn(server.url, 'Bo')
    const late = await decide(scenario, first, { decision: 'approve' }, bo)
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(late.body.error.message).toContain('Ana has already rejected')
    await decide(scenario, second, { decision: 'reject' })
    await ended(scenario.peer, scenario.run)
    expect(await decide(scenario, second, { decision: 'approve' })).toMatchObject({ status: 409 })
    scenario.peer.close()
  })

  test('[APP-12] Stop while it waits ends the run at once, and its calls with it', async () => {
    const scenario = await askAndWait('two')
    const steps = waiting(scenario.shown())
    await decide(scenario, steps[0], { decision: 'approve' })
    const path = `/api/documents/${scenario.document}/runs/${scenario.run}/stop`
    const stopped = await scenario.ana.call<Run>('POST', path)
    expect(stopped.body).toMatchObject({ status: 'stopped', endedAt: expect.any(String) })
    expect(stopped.body.steps.map(({ status, summary }) => `${status} ${summary}`)).toEqual([
      'error Ended before it was done',
      expect.stringMatching(/^ok/),
      'error Ended before it was done',
    ])
    expect(await decide(scenario, steps[1], { decision: 'approve' })).toMatchObject({ status: 409 })
    expect(scenario.text()).toBe('teh cat / a dog')
    scenario.peer.close()
  })

  test('[APP-13] a waiting run keeps nobody waiting: the next message is answered', async () => {
    const scenario = await askAndWait('one')
    const { run } = await scenario.ana.ask(scenario.document, 'nothing')
    expect(await ended(scenario.peer, run.id)).toMatchObject({ status: 'completed' })
    expect(scenario.shown().status).toBe('awaiting_approval')
    scenario.peer.close()
  })

  test('[APP-13] [RUN-4] once decided it waits until the newer run of the same person is over', async () => {
    const scenario = await askAndWait('one')
    const requests = model.requests.length
    const { run } = await scenario.ana.ask(scenario.document, 'slow')
    await until(() => model.requests.length > requests, 'the newer run asks the model')
    await decide(scenario, waiting(scenario.shown())[0], { decision: 'approve' })
    const { run: other } = await (await signIn(server.url, 'Bo')).ask(scenario.document, 'nothing')
    await ended(scenario.peer, other.id)
    expect(scenario.shown().status).toBe('queued')
    finishSlow()
    await ended(scenario.peer, run.id)
    expect(await ended(scenario.peer, scenario.run)).toMatchObject({ status: 'completed' })
    scenario.peer.close()
  })
})
