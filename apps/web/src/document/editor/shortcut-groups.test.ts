import { expect, test } from 'vitest'
import { shortcutKeys } from '../../common/commands/shortcut-keys.ts'
import { shortcutGroups } from './shortcut-groups.ts'

test('no two lines of the overview share keys, apart from Enter, and Mod-K which links selected text', () => {
  const keys = shortcutGroups
    .flatMap(({ lines }) => lines.flatMap((line) => line.keys))
    .filter((key) => key !== 'Enter' && key !== 'Mod-k')
  expect(new Set(keys).size).toBe(keys.length)
})

test('keys are named as on the reader’s keyboard', () => {
  expect(shortcutKeys('Mod-Shift-ArrowUp', true)).toEqual(['⌘', '⇧', '↑'])
  expect(shortcutKeys('Mod-Shift-ArrowUp', false)).toEqual(['Ctrl', 'Shift', '↑'])
})
