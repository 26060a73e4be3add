import { expect, test } from 'vitest'
import { describeProblem, readInWords } from './run-view.ts'

const json = '{"type":"error","error":{"type":"overloaded_error"}}'

test('trouble with the service is shown in plain words, never as the service’s own JSON', () => {
  expect(describeProblem({ code: 'overloaded', message: json })).toBe('The model service is overloaded. Try again.')
  expect(describeProblem({ code: 'rate_limited', message: 'insufficient_quota' })).toContain('used up')
  for (const code of ['overloaded', 'network', 'invalid_request', 'unauthorized', 'something_new']) {
    expect(describeProblem({ code, message: json })).not.toContain('{')
  }
})

test('a sentence of the service is passed on, one of this server is taken as it is', () => {
  const unknown = 'The model gpt-9 does not exist. (AGENT_MODEL sets another model.)'
  expect(describeProblem({ code: 'invalid_request', message: unknown })).toContain(unknown)
  expect(describeProblem({ code: 'timeout', message: 'The run took longer than 300 seconds and was ended.' })).toBe(
    'The run took longer than 300 seconds and was ended.',
  )
})

test('[LANG-8] what a step read is without hints to the agent, and the tool’s own words are those of the step', () => {
  const localizable = { key: '{0, plural, one {# match} other {# matches}}', values: [30] }
  const read = '30 matches:\n\n> [0] teh cat\n\n…and 10 more: search again with "from": 21'
  expect(readInWords({ read, summary: '30 matches', localizable })).toBe('30 matches:\n\n> [0] teh cat\n\n…and 10 more')
  const whole = 'Title: Plan\n1 block, 2 words\n\n[0] Hello you'
  expect(readInWords({ read: whole, summary: 'Read the document' })).toBe(
    'Title: Plan\n1 block, 2 words\n\n[0] Hello you',
  )
  expect(readInWords({ summary: '' })).toBeUndefined()
})
