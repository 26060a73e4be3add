import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunRow } from '../store/tables.ts'
import { openRunScene, type RunScene } from '../testing/run-scene.ts'
import { conversationBefore } from './conversation.ts'
import { RunRecorder } from './run-recorder.ts'

let scene: RunScene
let document: string

beforeEach(async () => {
  scene = await openRunScene()
  document = await scene.create('Start here.')
})
afterEach(() => scene.dispose())

const usage = { inputTokens: 0, outputTokens: 0 }
const answer = (run: RunRow, text: string): Promise<void> =>
  new RunRecorder(run, scene.deps).finish({ status: 'completed', answer: text, rounds: 1, usage }, text, false)
const textsBefore = async (run: RunRow): Promise<string[]> =>
  (await conversationBefore(run, scene.deps)).map(({ text }) => text)

test('[RUN-7] a question that waited in the queue comes with the answers to those before it, in the order of the questions', async () => {
  const first = await scene.ask(document, 'first question', { created_at: 1000 })
  const second = await scene.ask(document, 'second question', { created_at: 2000 })
  const third = await scene.ask(document, 'third question', { created_at: 3000 })
  await answer(second, 'second answer')
  await answer(first, 'first answer')
  const before = ['first question', 'first answer', 'second question', 'second answer']
  expect(await textsBefore(third)).toEqual(before)
  await answer(third, 'third answer')
  expect(await textsBefore(third)).toEqual(before)
  expect(await textsBefore(second)).toEqual(['first question', 'first answer'])
  expect(await textsBefore(first)).toEqual([])
})

test('[RUN-7] of questions of the same millisecond each comes after those that are served before it', async () => {
  const asked = [
    await scene.ask(document, 'one', { created_at: 5 }),
    await scene.ask(document, 'two', { created_at: 5 }),
  ]
  const [first, second] = asked.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [RunRow, RunRow]
  expect(await textsBefore(second)).toEqual([first.instruction])
  expect(await textsBefore(first)).toEqual([])
})

test('[CHAT-1] the agent gets the earlier messages of the same conversation, and none of other conversations', async () => {
  await answer(await scene.ask(document, 'in the first', { created_at: 1000 }), 'its answer')
  await answer(await scene.ask(document, 'in another', { created_at: 2000, conversation: 'b' }), 'another answer')
  const first = await scene.ask(document, 'again in the first', { created_at: 3000 })
  const other = await scene.ask(document, 'again in another', { created_at: 4000, conversation: 'b' })
  expect(await textsBefore(first)).toEqual(['in the first', 'its answer'])
  expect(await textsBefore(other)).toEqual(['in another', 'another answer'])
  expect(await textsBefore(await scene.ask(document, 'new', { conversation: 'c' }))).toEqual([])
})

test('[RUN-16] pages of the chat leave out no message of the same millisecond', async () => {
  const { runs } = scene.services
  for (const text of ['one', 'two', 'three', 'four', 'five']) await scene.ask(document, text)
  await scene.deps.db.updateTable('messages').set({ created_at: 5 }).where('document', '=', document).execute()
  const seen: string[] = []
  for (let before: string | undefined; ;) {
    const page = await runs.messages(document, { limit: 2, ...(before === undefined ? {} : { before }) })
    if (page.length === 0) break
    seen.push(...page.map(({ text }) => text))
    before = page[0]?.id
  }
  expect(seen.toSorted()).toEqual(['five', 'four', 'one', 'three', 'two'])
})

test('[LONG-4] earlier messages are cut, and the oldest are left out: the conversation before a run has a bound', async () => {
  for (let at = 0; at < 12; at++) {
    await scene.ask(document, `question ${at} ${'word '.repeat(3_000)}`, { created_at: 1000 + at })
  }
  const texts = await textsBefore(await scene.ask(document, 'now', { created_at: 3000 }))
  expect(texts.join('').length).toBeLessThanOrEqual(40_000)
  expect(texts.length).toBeGreaterThan(4)
  expect(texts.at(-1)).toMatch(/^question 11 /)
})
