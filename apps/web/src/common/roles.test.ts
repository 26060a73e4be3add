import { expect, test } from 'vitest'
import { mayEdit, mayWrite, missingRight } from './roles.ts'

test('owners and editors may do everything, commenters comment and ask, viewers see why they can’t', () => {
  for (const role of ['owner', 'editor'] as const) {
    expect(mayEdit(role)).toBe(true)
    for (const action of ['edit', 'comment', 'ask'] as const) expect(missingRight(role, action)).toBeUndefined()
  }
  expect([missingRight('commenter', 'comment'), missingRight('commenter', 'ask')]).toEqual([undefined, undefined])
  expect(missingRight('commenter', 'edit')).toContain('comment on it')
  for (const action of ['edit', 'comment', 'ask'] as const)
    expect(missingRight('viewer', action)).toMatch(/^You can read .* not/)
})

test('nothing is said while the role isn’t known', () => {
  expect(mayEdit(undefined)).toBe(false)
  expect(mayWrite(undefined)).toBe(false)
  expect(missingRight(undefined, 'edit')).toBeUndefined()
})
