import { Access, type Role } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { allows, atMost } from '../common/identity.ts'
import { accessOfRole } from './access.ts'

test('[ACCESS-1] owners and editors write, commenters comment, viewers read', () => {
  const may = (role: Role) => Access.options.filter((need) => allows(accessOfRole(role, false), need))
  expect(may('owner')).toEqual(['read', 'comment', 'write', 'manage'])
  expect(may('editor')).toEqual(['read', 'comment', 'write'])
  expect(may('commenter')).toEqual(['read', 'comment'])
  expect(may('viewer')).toEqual(['read'])
})

test('[ACCESS-1] a key never widens what its owner may do, and narrows it to its scope', () => {
  expect(atMost('write', undefined)).toBe('write')
  expect(atMost('write', 'comment')).toBe('comment')
  expect(atMost('read', 'write')).toBe('read')
  expect(atMost('comment', 'read')).toBe('read')
})
