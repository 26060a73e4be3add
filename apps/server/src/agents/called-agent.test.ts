import { expect, test } from 'vitest'
import { openRunScene, type RunScene } from '../testing/run-scene.ts'
import { afterAll, beforeAll } from 'vitest'
import { findCalled, instructionOf } from './called-agent.ts'

let scene: RunScene
let document: string

beforeAll(async () => {
  scene = await openRunScene()
  document = await scene.create('Text.')
  await scene.services.agents.create({ handle: 'fact-check', name: 'Facts', color: '#2f5d50' }, scene.ana.id)
  await scene.services.agents.create({ handle: 'off', name: 'Off', color: '#2f5d50', enabled: false }, scene.ana.id)
})
afterAll(() => scene.dispose())

const called = (text: string) => findCalled(scene.services.store.db, document, text)

test.each([
  ['@agent fix this', 'fix this'],
  ['Please, @Agent, fix this', 'Please, fix this'],
  ['fix this @agent', 'fix this'],
  ['Could you check?\n@agent', 'Could you check?'],
  ['@agent: two\nlines', 'two\nlines'],
  ['(@agent) what now?', '( ) what now?'],
  ["@agent's turn", "'s turn"],
  ['@agent', '@agent'],
])('[REV-8] %j calls the agent to %j', async (text, instruction) => {
  expect(await called(text)).toEqual({ handle: 'agent' })
  expect(instructionOf(text, 'agent')).toBe(instruction)
})

test.each(['agent', 'me@agent.example', '@agents', '@agent_smith', '@agent.example', '@agent-x', '@@agent', 'x@agent'])(
  '[REV-8] %j does not call the agent',
  async (text) => {
    expect(await called(text)).toBeUndefined()
  },
)

test('[AGENT-3] a text calls the first agent whose handle it holds; an unknown handle, or one of a paused agent, is plain text', async () => {
  expect(await called('Is this so, @Fact-Check?')).toMatchObject({ handle: 'fact-check', agent: { name: 'Facts' } })
  expect(await called('@nobody, @fact-check and @agent')).toMatchObject({ handle: 'fact-check' })
  expect(await called('@agent and @fact-check')).toEqual({ handle: 'agent' })
  for (const text of ['@off', '@fact', '@fact-check-2', 'me@fact-check.example'])
    expect(await called(text)).toBeUndefined()
  expect(instructionOf('Is this so, @Fact-Check?', 'fact-check')).toBe('Is this so?')
})
