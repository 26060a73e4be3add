import type { ModelProvider, ModelRequest } from '@copydesk/agent'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asModel, openRunScene, type RunScene } from '../testing/run-scene.ts'
import { executeRun } from './run-executor.ts'

let scene: RunScene
beforeAll(async () => {
  scene = await openRunScene()
})
afterAll(() => scene.dispose())

const usage = { inputTokens: 10, outputTokens: 1 }

/**
 * A model that reads four blocks with each answer until it gets a request for a summary. Then it answers, or never if
 * it `hangs`.
 */
function createReader({ hangs }: { hangs: boolean }): ModelProvider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    id: 'reader',
    model: 'reader',
    requests,
    async *stream(request) {
      const at = requests.push(request) - 1
      const isSummary = request.messages.at(-1)?.text.includes('Write a summary')
      const isSummarised = request.messages.some(({ text }) => text.includes('The first parts'))
      if (isSummarised && hangs) await new Promise(() => undefined)
      const text = isSummary ? 'The first parts are fine.' : isSummarised ? 'Done.' : ''
      const call = { id: `c${at}`, name: 'read_document', arguments: { from: at * 4, to: at * 4 + 3 } }
      const [toolCalls, finish] = text === '' ? [[call], 'tool_calls' as const] : [[], 'stop' as const]
      yield { type: 'done', message: { role: 'assistant', text, toolCalls, finish, provider: 'reader' }, usage }
    },
  }
}

test('[LONG-3] a long run is summarised as a step that people see; after a restart the summary is used, not paid again', async () => {
  const parts = Array.from({ length: 60 }, (_, at) => `Part ${at}. ${'word '.repeat(300)}`)
  const document = await scene.create(parts.join('\n\n'))
  const run = await scene.ask(document, 'find every mistake', { status: 'running', epoch: 1, max_rounds: 50 })
  const play = (provider: ModelProvider) => ({
    ...scene.deps,
    modelOf: () => Promise.resolve({ ...asModel(provider), contextTokens: 16_000 }),
  })
  const controller = new AbortController()
  const model = createReader({ hangs: true })
  const working = executeRun(run, controller, play(model))
  const isSummarised = ({ messages }: ModelRequest) => messages.some(({ text }) => text.includes('The first parts'))
  await until(() => model.requests.some(isSummarised), 'the run goes on with the summary')
  controller.abort('shutdown')
  await working

  const stored = await scene.services.runs.find(run.id)
  const step = stored?.steps.find(({ id }) => id.startsWith('summary'))
  expect(step).toMatchObject({
    summary: 'Summarised its earlier steps',
    status: 'ok',
    read: 'The first parts are fine.',
  })
  const answered = model.requests.length - 1
  expect(stored?.usage).toEqual({ inputTokens: answered * 10, outputTokens: answered })

  const resumed = createReader({ hangs: false })
  await executeRun(await scene.row(run.id), new AbortController(), play(resumed))
  expect(await scene.services.runs.find(run.id)).toMatchObject({ status: 'completed', answer: 'Done.' })
  expect(resumed.requests).toHaveLength(1)
  expect(resumed.requests[0]?.messages).toEqual(model.requests.at(-1)?.messages)
})
