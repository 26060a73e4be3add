import { describe, expect, test } from 'vitest'
import type { Run } from '@copydesk/protocol'
import { chipHint, chipState } from './chip-state.ts'

const run = (status: Run['status']) => ({ status }) as Run

describe('chipState', () => {
  test('follows the run once there is one, whatever the node says', () => {
    expect(chipState({ kind: 'agent', state: 'draft' }, run('running'))).toBe('working')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('completed'))).toBe('done')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('limit_reached'))).toBe('limit')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('awaiting_approval'))).toBe('waiting')
  })

  test('is the state of the node while no run is known', () => {
    expect(chipState({ kind: 'agent', state: 'draft' }, undefined)).toBe('draft')
    expect(chipState({ kind: 'agent', state: 'sent' }, undefined)).toBe('sent')
  })

  test('never shows a run on a person', () => {
    expect(chipState({ kind: 'person', state: 'draft' }, run('running'))).toBe('person')
    expect(chipHint('person')).toBe('')
  })
})
