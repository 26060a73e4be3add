import type { Step } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { describeApproval, editableArgument, editedArguments, approvalReason } from './run-actions.ts'

const step: Step = {
  id: 's',
  tool: 'edit_document',
  arguments: { find: 'teh', replace: 'the', occurrence: 2 },
  status: 'awaiting_approval',
  summary: '',
  startedAt: '2026-11-21T12:00:00.000Z',
}

test('the text of a call can be mended, the rest of its arguments stays', () => {
  expect(editableArgument(step)).toEqual({ name: 'replace', text: 'the' })
  expect(editedArguments(step, 'The')).toEqual({ find: 'teh', replace: 'The', occurrence: 2 })
  expect(editedArguments(step, 'the')).toBeUndefined()
})

test('a call without text has nothing to mend', () => {
  const formatting = { ...step, arguments: { target: { type: 'all' }, format: { type: 'bold' } } }
  expect(editableArgument(formatting)).toBeUndefined()
  expect(editedArguments(formatting, 'x')).toBeUndefined()
})

test('[APP-20] a call that would send something out says why it waits, and its words can be mended', () => {
  const search = { ...step, tool: 'search_web', arguments: { query: 'price 4711', maxResults: 3 } }
  const reason = { key: 'The agent has read text from outside.', values: [] }
  const waiting = { ...search, status: 'awaiting_approval', reason } as const
  expect(approvalReason(waiting)).toBe(reason.key)
  expect(editedArguments(search, 'price')).toEqual({ query: 'price', maxResults: 3 })
  // The mode itself holds the call.
  expect(approvalReason(step)).toBeUndefined()
  expect(approvalReason({ ...waiting, status: 'ok' })).toBeUndefined()
})

test('[PROJ-19] the content of a file isn’t in the room, and can be edited all the same', () => {
  const given = { path: 'a.ts', description: 'x' }
  expect(editedArguments({ ...step, tool: 'edit_file', arguments: given }, 'b')).toEqual({ ...given, content: 'b' })
})

test('says who decided and why', () => {
  const by = { id: 'ben', name: 'Ben', kind: 'person' as const }
  expect(describeApproval({ approval: { decision: 'approve', by } })).toBe('Approved by Ben')
  expect(describeApproval({ approval: { decision: 'reject', by, reason: 'Too long' } })).toBe(
    'Rejected by Ben: Too long',
  )
  expect(describeApproval({})).toBeUndefined()
})
