import { describe, expect, test } from 'vitest'
import type { Run, UnstartedMention } from '@copydesk/protocol'
import { chipHint, chipState } from './chip-state.ts'

const run = (status: Run['status'], ...steps: Partial<Run['steps'][number]>[]) => ({ status, steps }) as Run

describe('chipState', () => {
  test('follows the run once there is one, whatever the node says', () => {
    expect(chipState({ kind: 'agent', state: 'draft' }, run('running'))).toBe('working')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('completed', { status: 'ok', changed: true }))).toBe('done')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('limit_reached'))).toBe('limit')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('awaiting_approval'))).toBe('waiting')
  })

  test('is the state of the node while no run is known', () => {
    expect(chipState({ kind: 'agent', state: 'draft' }, undefined)).toBe('draft')
    expect(chipState({ kind: 'agent', state: 'sent' }, undefined)).toBe('sent')
  })

  test('says of one that was sent in vain why, unless it has a run after all', () => {
    const message = 'there is no such agent'
    const unstarted: UnstartedMention = { id: 'r', reason: 'unknown_agent', message, createdAt: '2026-01-01T00:00:00Z' }
    expect(chipState({ kind: 'agent', state: 'sent' }, undefined, unstarted)).toBe('unstarted')
    expect(chipHint('unstarted', unstarted)).toBe(`not started: ${message}`)
    expect(chipState({ kind: 'agent', state: 'draft' }, undefined, unstarted)).toBe('draft')
    expect(chipState({ kind: 'agent', state: 'sent' }, run('completed'), unstarted)).toBe('answered')
    expect(chipState({ kind: 'person', state: 'sent' }, undefined, unstarted)).toBe('person')
  })

  test('[RUN-29] says of a completed run whether it did something', () => {
    const stateOf = (...steps: Partial<Run['steps'][number]>[]) =>
      chipState({ kind: 'agent', state: 'sent' }, run('completed', ...steps))
    expect(stateOf()).toBe('answered')
    expect(stateOf({ status: 'ok', tool: 'search_document' })).toBe('answered')
    expect(stateOf({ status: 'ok', tool: 'add_comment' })).toBe('done')
    expect(stateOf({ status: 'error', tool: 'read_file' })).toBe('answered')
    expect(stateOf({ status: 'error', tool: 'insert_text' })).toBe('not-done')
    expect(stateOf({ status: 'rejected', tool: 'insert_text' })).toBe('not-done')
    expect(stateOf({ status: 'error', tool: 'insert_text' }, { status: 'ok', changed: true })).toBe('done')
    expect(chipHint('not-done')).toBe('not done')
  })

  test('never shows a run on a person', () => {
    expect(chipState({ kind: 'person', state: 'draft' }, run('running'))).toBe('person')
    expect(chipHint('person')).toBe('')
  })
})
