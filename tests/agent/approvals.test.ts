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

type Stage = { ana: TestPerson; peer: TestPeer; document: string; run: string; shown(): Run; text(): string }

/** Asks the agent in mode `ask` and waits until the run waits for a person. */
async function askAndWait(text: string, markdown = 'teh cat\n\na dog'): Promise<Stage> {
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

function decide(stage: Stage, step: Step | undefined, body: object, by = stage.ana) {
  const path = `/api/documents/${stage.document}/runs/${stage.run}/approvals/${step?.id}`
  return by.call<Run & ErrorBody>('POST', path, body)
}

describe('approvals', () => {
  test('[APP-1] [APP-2] a change waits with its proposal, nobody is in the document meanwhile, and approval applies it', async () => {
    const stage = await askAndWait('one')
    expect(stage.text()).toBe('teh cat / a dog')
    const [step] = waiting(stage.shown())
    expect(step).toMatchObject({ tool: 'edit_document', proposal: [{ before: 'teh', after: 'the' }] })
    const agents = () =>
      [...(stage.peer.content.awareness?.getStates().values() ?? [])].filter((state) => state.user?.kind === 'agent')
    await until(() => agents().length === 0, 'the agent has left the document')
    expect(stage.peer.messages().at(-1)).toMatchObject({ text: 'I propose this.', role: 'agent' })

    const answered = await decide(stage, step, { decision: 'approve' })
    expect(answered).toMatchObject({ status: 200, body: { id: stage.run } })
    const done = await ended(stage.peer, stage.run)
    expect(done).toMatchObject({ status: 'completed', rounds: 2 })
    expect(done.steps).toMatchObject([
      { status: 'ok', approval: { decision: 'approve', by: { name: 'Ana', kind: 'person' } } },
    ])
    expect(stage.text()).toBe('the cat / a dog')
    await until(() => stage.peer.messages().at(-1)?.status === 'complete', 'the answer is complete')
    expect(stage.peer.messages().at(-1)?.text).toMatch(/^I propose this\.\n\nIt says: /)
    stage.peer.close()
  })

  test('[APP-3] a rejection with its reason reaches the model, and nothing is changed', async () => {
    const stage = await askAndWait('one')
    const bo = await signIn(server.url, 'Bo')
    await decide(stage, waiting(stage.shown())[0], { decision: 'reject', reason: 'It is a name.' }, bo)
    const done = await ended(stage.peer, stage.run)
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
    expect(stage.text()).toBe('teh cat / a dog')
    stage.peer.close()
  })

  test('[APP-4] arguments that a person changed are executed, and the result names them to the model', async () => {
    const stage = await askAndWait('one')
    const changed = { find: 'teh', replace: 'THE' }
    const [step] = waiting(stage.shown())
    const wrong = await decide(stage, step, { decision: 'approve', arguments: { find: 'teh', replace: 5 } })
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } })
    await decide(stage, step, { decision: 'approve', arguments: changed })
    const done = await ended(stage.peer, stage.run)
    expect(done.steps).toMatchObject([{ status: 'ok', arguments: changed }])
    expect(stage.text()).toBe('THE cat / a dog')
    expect(done.answer).toMatch(/other arguments[\s\S]*THE/)
    stage.peer.close()
  })

  test.each([
    ['the first before the second', [0, 1]],
    ['the second before the first', [1, 0]],
  ])('[APP-6] two calls of one answer, decided %s', async (_, order) => {
    const stage = await askAndWait('two')
    const steps = waiting(stage.shown())
    expect(steps.map(({ arguments: given }) => given['find'])).toEqual(['teh', 'dog'])
    expect(stage.shown().steps.map(({ status }) => status)).toEqual(['awaiting_approval', 'ok', 'awaiting_approval'])
    const first = await decide(stage, steps[order[0] ?? 0], { decision: 'approve' })
    expect(first.body).toMatchObject({ status: 'awaiting_approval' })
    expect(stage.text()).toBe('teh cat / a dog')
    await decide(stage, steps[order[1] ?? 0], { decision: 'approve' })
    const done = await ended(stage.peer, stage.run)
    expect(done).toMatchObject({ status: 'completed', rounds: 2 })
    expect(stage.text()).toBe('the cat / a hound')
    const results = model.requests.at(-1)?.results ?? []
    expect(results.map((result) => /label="([^"]*)"/.exec(result)?.[1])).toEqual([
      'result of edit_document',
      'result of read_document',
      'result of edit_document',
    ])
    stage.peer.close()
  })

  test('[APP-5] what was approved and no longer fits goes back to the model, which may propose again', async () => {
    const stage = await askAndWait('again')
    const [step] = waiting(stage.shown())
    const block = stage.peer.fragment.get(0) as unknown as {
      get(index: number): { delete(at: number, n: number): void }
    }
    block.get(0).delete(0, 4)
    await stage.peer.saved()
    await decide(stage, step, { decision: 'approve' })
    await until(() => stage.shown().steps[1]?.status === 'awaiting_approval', 'the next proposal waits')
    expect(stage.shown().steps).toMatchObject([{ status: 'error' }, { proposal: [{ before: 'cat', after: 'kitten' }] }])
    await until(() => stage.shown().status === 'awaiting_approval', 'the run waits again')
    await decide(stage, waiting(stage.shown())[0], { decision: 'approve' })
    const { status, steps } = await ended(stage.peer, stage.run)
    expect([status, ...steps.map((step) => step.status)]).toEqual(['completed', 'error', 'ok'])
    // The model was given the error of the first call and the result of the second, each as its own.
    const results = model.requests.at(-1)?.results ?? []
    expect(results.map((result) => result.includes('not_found'))).toEqual([true, false])
    expect(stage.text()).toBe('kitten / a dog')
    stage.peer.close()
  })

  test('[APP-7] one decision a call; what is unknown, over or not waiting is refused', async () => {
    const stage = await askAndWait('two')
    const [first, second] = waiting(stage.shown())
    const reading = stage.shown().steps.find(({ tool }) => tool === 'read_document')
    expect(await decide(stage, { ...first!, id: 'nope' }, { decision: 'approve' })).toMatchObject({ status: 404 })
    expect(await decide(stage, reading, { decision: 'approve' })).toMatchObject({ status: 409 })
    expect(await decide(stage, first, { decision: 'maybe' })).toMatchObject({ status: 400 })
    await decide(stage, first, { decision: 'reject' })
    const bo = await signIn(server.url, 'Bo')
    const late = await decide(stage, first, { decision: 'approve' }, bo)
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(late.body.error.message).toContain('Ana has already rejected')
    await decide(stage, second, { decision: 'reject' })
    await ended(stage.peer, stage.run)
    expect(await decide(stage, second, { decision: 'approve' })).toMatchObject({ status: 409 })
    stage.peer.close()
  })

  test('[APP-12] Stop while it waits ends the run at once, and its calls with it', async () => {
    const stage = await askAndWait('two')
    const steps = waiting(stage.shown())
    await decide(stage, steps[0], { decision: 'approve' })
    const path = `/api/documents/${stage.document}/runs/${stage.run}/stop`
    const stopped = await stage.ana.call<Run>('POST', path)
    expect(stopped.body).toMatchObject({ status: 'stopped', endedAt: expect.any(String) })
    expect(stopped.body.steps.map(({ status, summary }) => `${status} ${summary}`)).toEqual([
      'error Ended before it was done',
      expect.stringMatching(/^ok/),
      'error Ended before it was done',
    ])
    expect(await decide(stage, steps[1], { decision: 'approve' })).toMatchObject({ status: 409 })
    expect(stage.text()).toBe('teh cat / a dog')
    stage.peer.close()
  })

  test('[APP-13] a waiting run keeps nobody waiting: the next message is answered', async () => {
    const stage = await askAndWait('one')
    const { run } = await stage.ana.ask(stage.document, 'nothing')
    expect(await ended(stage.peer, run.id)).toMatchObject({ status: 'completed' })
    expect(stage.shown().status).toBe('awaiting_approval')
    stage.peer.close()
  })

  test('[APP-13] [RUN-4] once decided it waits until the newer run of the same person is over', async () => {
    const stage = await askAndWait('one')
    const requests = model.requests.length
    const { run } = await stage.ana.ask(stage.document, 'slow')
    await until(() => model.requests.length > requests, 'the newer run asks the model')
    await decide(stage, waiting(stage.shown())[0], { decision: 'approve' })
    const { run: other } = await (await signIn(server.url, 'Bo')).ask(stage.document, 'nothing')
    await ended(stage.peer, other.id)
    expect(stage.shown().status).toBe('queued')
    finishSlow()
    await ended(stage.peer, run.id)
    expect(await ended(stage.peer, stage.run)).toMatchObject({ status: 'completed' })
    stage.peer.close()
  })
})
