import { expect, test } from 'vitest'
import { instructionOf, namesAgent } from './comment-call.ts'

test.each([
  ['@agent fix this', 'fix this'],
  ['Please, @Agent, fix this', 'Please, fix this'],
  ['fix this @agent', 'fix this'],
  ['Could you check?\n@agent', 'Could you check?'],
  ['@agent: two\nlines', 'two\nlines'],
  ['(@agent) what now?', '( ) what now?'],
  ["@agent's turn", "'s turn"],
  ['@agent', '@agent'],
])('[REV-8] %j calls the agent to %j', (text, instruction) => {
  expect(namesAgent(text)).toBe(true)
  expect(instructionOf(text)).toBe(instruction)
})

test.each(['agent', 'me@agent.example', '@agents', '@agent_smith', '@agent.example', '@agent-x', '@@agent', 'x@agent'])(
  '[REV-8] %j does not call the agent',
  (text) => {
    expect(namesAgent(text)).toBe(false)
  },
)
