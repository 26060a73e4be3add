import { expect, test } from 'vitest'
import { caretOf } from './following.ts'

const person = (id: string, head?: unknown) => ({
  user: { id, name: id, color: '#112233', kind: 'person' },
  cursor: head === undefined ? null : { anchor: head, head },
})
const agent = (runId: string, head: unknown) => ({
  user: { id: 'agent', name: 'Agent', color: '#112233', kind: 'agent', runId, invokedBy: 'ana' },
  cursor: { anchor: head, head },
})

test('the caret of a person, in whichever window they have one', () => {
  const states = new Map([
    [1, person('ana', 'here')],
    [2, person('ana')],
    [3, person('ben', 'there')],
  ])
  expect(caretOf(states, 'person:ana')).toBe('here')
  expect(caretOf(states, 'person:ben')).toBe('there')
  expect(caretOf(states, 'person:cleo')).toBeUndefined()
})

test('the caret of one of several agents', () => {
  const states = new Map([
    [1, agent('first', 'a')],
    [2, agent('second', 'b')],
  ])
  expect(caretOf(states, 'agent:second')).toBe('b')
})

test('a state that is no presence is nobody’s', () => {
  expect(caretOf(new Map([[1, { cursor: { head: 'x' } }]]), 'person:undefined')).toBeUndefined()
})
