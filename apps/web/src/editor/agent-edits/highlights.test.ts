import { describe, expect, test } from 'vitest'
import { fromBase64, fromJson } from '../common/positions.ts'
import { readScrollRequests } from './follow-agent.ts'
import { nextExpiry } from './highlights.ts'

const agent = { id: 'agent', name: 'Agent', color: '#5b43a8', kind: 'agent', runId: 'r1', invokedBy: 'ana' }
const position = { type: null, tname: 'default', item: null, assoc: 0 }

describe('readScrollRequests', () => {
  test('reads those of runs that I called', () => {
    const states = new Map<number, unknown>([
      [1, { user: agent, scrollTarget: { position, select: true } }],
      [2, { user: { ...agent, invokedBy: 'ben' }, scrollTarget: { position } }],
      [3, { user: { id: 'ben', name: 'Ben', color: '#112233', kind: 'person' }, scrollTarget: { position } }],
      [4, { user: agent }],
    ])
    expect(readScrollRequests(states, 'ana')).toEqual([
      { key: `r1 ${JSON.stringify(position)} true`, run: 'r1', position, select: true },
    ])
  })
})

test('nextExpiry names the first end that is still to come', () => {
  const ends = ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:30.000Z', '2026-11-21T12:00:20.000Z']
  const highlights = [...ends.map((expiresAt) => ({ expiresAt })), {}]
  expect(nextExpiry(highlights, Date.parse('2026-11-21T12:00:10.000Z'))).toBe(10_000)
  expect(nextExpiry([{}], 0)).toBeUndefined()
})

test('positions that are none are left out', () => {
  expect(fromBase64('%%%')).toBeUndefined()
  expect(fromJson('here')).toBeUndefined()
  expect(fromJson(position)).toMatchObject({ tname: 'default' })
})
