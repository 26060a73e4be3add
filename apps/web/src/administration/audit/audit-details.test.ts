import { expect, test } from 'vitest'
import { detailsInWords } from './audit-details.ts'

test('[AUDIT-6] details are shown in words, and what only an export is read for is left out', () => {
  expect(detailsInWords({ status: 'limit_reached' })).toEqual(['Result: Limit reached'])
  expect(detailsInWords({ trigger: 'mention', mode: 'ask', key: 'secret-id' })).toEqual([
    'Called by: Mention',
    'Mode: Ask',
    'Key: secret-id',
  ])
  expect(detailsInWords({ role: 'viewer', expiresAt: null })).toEqual(['Role: Viewer'])
  const members = [
    { email: 'a@example.org', role: 'editor' },
    { id: 'p1', role: null },
  ]
  expect(detailsInWords({ members })).toEqual(['People: a@example.org → Editor and p1 → none'])
  expect(detailsInWords({ members }, { names: { p1: 'Ana' } })).toEqual([
    'People: a@example.org → Editor and Ana → none',
  ])
  expect(detailsInWords({ operator: true, active: false })).toEqual(['Operator: Yes', 'Active: No'])
  expect(detailsInWords({ active: false }, { action: 'webhook-changed' })).toEqual(['Switched on: No'])
  expect(detailsInWords({ call: 'c', run: 'r', tool: 'edit_document', decision: 'approve' })).toEqual([
    'Tool: edit_document',
    'Decision: Approved',
  ])
  expect(detailsInWords({ person: { tokens: 1000, cost: null } })).toEqual([
    'One person, a day: Tokens 1,000, Cost none',
  ])
  expect(detailsInWords({ person: 'p1', folder: 'f1' })).toEqual([])
  const known = { names: { p1: 'Ana', f1: 'Staff' }, object: 'example.org' }
  expect(detailsInWords({ person: 'p1', folder: 'f1', host: 'example.org' }, known)).toEqual([
    'Owner: Ana',
    'Folder: Staff',
  ])
  expect(detailsInWords({ constructor: '__proto__', toString: 'x' })).toEqual(['constructor: __proto__', 'toString: x'])
  expect(detailsInWords({ fields: ['email', 'password'] })).toEqual(['Changed: Email address and Password'])
  expect(detailsInWords(null)).toEqual([])
})
