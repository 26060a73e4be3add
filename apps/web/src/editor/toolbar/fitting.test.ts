import { describe, expect, test } from 'vitest'
import { countFitting, splitGroups } from './fitting.ts'

const groups = [
  ['bold', 'italic', 'link'],
  ['list', 'quote'],
]

describe('[LAYOUT-6] the toolbar', () => {
  test('shows what fits beside the button that opens the rest', () => {
    expect(countFitting(groups, { width: 6 * 40 + 3 * 9, button: 40, line: 9 })).toBe(5)
    expect(countFitting(groups, { width: 6 * 40 + 3 * 9 - 1, button: 40, line: 9 })).toBe(4)
    expect(countFitting(groups, { width: 3 * 40 + 2 * 9, button: 40, line: 9 })).toBe(2)
    expect(countFitting(groups, { width: 0, button: 40, line: 9 })).toBe(0)
  })

  test('divides groups where they stop fitting', () => {
    expect(splitGroups(groups, 2)).toEqual({ shown: [['bold', 'italic']], rest: [['link'], ['list', 'quote']] })
    expect(splitGroups(groups, 5)).toEqual({ shown: groups, rest: [] })
  })
})
