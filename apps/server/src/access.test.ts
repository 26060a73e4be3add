import type { Role } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { accessOfRole, allows } from './access.ts'

test('[ACCESS-1] owners and editors write, commenters comment, viewers read', () => {
  const may = (role: Role) => (['read', 'comment', 'write'] as const).filter((need) => allows(accessOfRole(role), need))
  expect(may('owner')).toEqual(['read', 'comment', 'write'])
  expect(may('editor')).toEqual(['read', 'comment', 'write'])
  expect(may('commenter')).toEqual(['read', 'comment'])
  expect(may('viewer')).toEqual(['read'])
})
