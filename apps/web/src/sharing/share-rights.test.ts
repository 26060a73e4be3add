import type { Member } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { choicesFor, expiryOf, mayShare, rolesToGive } from './share-rights.ts'

const member = (change: Partial<Member> = {}): Member => ({
  id: 'ben',
  name: 'Ben',
  color: '#1d4ed8',
  role: 'viewer',
  guest: false,
  links: [],
  ...change,
})

test('only owners make owners', () => {
  expect(rolesToGive('manage')).toContain('owner')
  expect(rolesToGive('write')).toEqual(['editor', 'commenter', 'viewer'])
})

test('owners give and take everything, but guests have what their link gives', () => {
  expect(choicesFor(member(), 'manage', 'ana').roles).toHaveLength(4)
  expect(choicesFor(member(), 'manage', 'ana').removes).toBe(true)
  expect(choicesFor(member({ guest: true }), 'manage', 'ana')).toEqual({ roles: ['viewer'], removes: true })
})

test('editors raise and never lower or remove, but may leave themselves', () => {
  expect(choicesFor(member(), 'write', 'ana')).toEqual({ roles: ['editor', 'commenter', 'viewer'], removes: false })
  expect(choicesFor(member({ role: 'commenter' }), 'write', 'ana').roles).toEqual(['editor', 'commenter'])
  expect(choicesFor(member({ role: 'owner' }), 'write', 'ana')).toEqual({ roles: ['owner'], removes: false })
  expect(choicesFor(member({ role: 'editor' }), 'write', 'ben')).toEqual({ roles: ['editor'], removes: true })
})

test('[RIGHT-20] where owners keep sharing to themselves, editors raise nobody and may only leave', () => {
  expect([mayShare('manage', false), mayShare('write', false), mayShare('write', true)]).toEqual([true, false, true])
  expect(mayShare('comment', true)).toBe(false)
  expect(choicesFor(member(), 'write', 'ana', false)).toEqual({ roles: ['viewer'], removes: false })
  expect(choicesFor(member({ role: 'editor' }), 'write', 'ben', false).removes).toBe(true)
})

test('a link lasts a day, a week, thirty days or for ever', () => {
  const now = new Date('2026-01-31T10:00:00Z')
  expect(expiryOf('day', now)).toBe('2026-02-01T10:00:00.000Z')
  expect(expiryOf('month', now)).toBe('2026-03-02T10:00:00.000Z')
  expect(expiryOf('ever', now)).toBeNull()
})
