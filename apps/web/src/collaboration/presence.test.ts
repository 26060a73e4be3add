import { describe, expect, test } from 'vitest'
import { readPresence } from './presence.ts'

const person = (id: string, name = id) => ({ user: { id, name, color: '#2f5d50', kind: 'person' } })
const agent = {
  user: { id: 'agent', name: 'Agent', color: '#5b43a8', kind: 'agent', runId: 'r1', invokedBy: 'Ana' },
  activity: { label: 'Reading' },
}

describe('readPresence', () => {
  test('shows each person once, the caller first, agents last', () => {
    const states = new Map<number, unknown>([
      [1, agent],
      [2, person('bo')],
      [3, person('ana')],
      [4, person('bo')],
    ])
    expect(readPresence(states, 'ana').map(({ key }) => key)).toEqual(['person:ana', 'person:bo', 'agent:r1'])
    expect(readPresence(states, 'ana')[2]).toMatchObject({ activity: 'Reading', invokedBy: 'Ana' })
  })

  test('leaves out what does not fit the protocol', () => {
    const states = new Map<number, unknown>([
      [1, {}],
      [2, { user: { id: 'x', name: 'X', color: 'red; position: fixed', kind: 'person' } }],
      [3, null],
    ])
    expect(readPresence(states, 'ana')).toEqual([])
  })
})
