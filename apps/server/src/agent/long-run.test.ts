import type { ModelProvider, ModelRequest } from '@copydesk/agent'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRunScene, type RunScene } from '../testing/run-scene.ts'
import { executeRun } from './run-executor.ts'

let scene: RunScene
beforeAll(async () => {
  scene = await openRunScene()
})
afterAll(() => scene.dispose())

const usage = { inputTokens: 10, outputTokens: 1 }

/** Reads four blocks with each answer, until it is asked for a summary; after that it answers, or never if it `hangs`. */
function createReader({ hangs }: { hangs: boolean }): ModelProvider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    id: 'reader',
    model: 'reader',
    requests,
    async *stream(request) {
      const at = requests.push(request) - 1
      const answer = (text: string) => {
        const message = { role: 'assistant', text, toolCalls: [], finish: 'stop', provider: 'reader' } as const
        return { type: 'done', message: { ...message, toolCalls: [] }, usage } as const
      }
      if (request.messages.at(-1)?.text.includes('Write a summary')) return yield answer('The first parts are fine.')
      if (request.messages.some(({ text }) => text.includes('The first parts'))) {
        if (hangs) await new Promise(() => undefined)
        return yield answer('Done.')
      }
      const toolCalls = [{ id: `c${at}`, name: 'read_document', arguments: { from: at * 4, to: at * 4 + 3 } }]
      const message = { role: 'assistant', text: '', finish: 'tool_calls', provider: 'reader' } as const
      yield { type: 'done', message: { ...message, toolCalls }, usage }
    },
  }
}

test('[LONG-3] a long run is summarised as a step that people see; after a restart the summary is used, not paid again', async () => {
  const parts = Array.from({ length: 60 }, (_, at) => `Part ${at}. ${'word '.repeat(300)}`)
  const document = await scene.create(parts.join('\n\n'))
  const run = await scene.ask(document, 'find every mistake', { status: 'running', epoch: 1, max_rounds: 50 })
  const limits = { ...scene.deps.limits, contextTokens: 16_000 }
  const play = (provider: ModelProvider) => ({ ...scene.deps, limits, modelOf: () => Promise.resolve(provider) })
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
