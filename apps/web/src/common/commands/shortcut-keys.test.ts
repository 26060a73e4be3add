import { expect, test } from 'vitest'
import { isModKey } from './shortcut-keys.ts'

const press = (rest: Partial<KeyboardEvent>) => {
  const event = { key: 'k', code: 'KeyK', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, ...rest }
  return isModKey(event as KeyboardEvent, 'k')
}

test('[PALETTE-1] Mod-K is known on every keyboard layout, and is none of its neighbours', () => {
  expect([press({}), press({ key: 'K' }), press({ key: 'л' })]).toEqual([true, true, true])
  // On Dvorak the letter K is on another key.
  expect([press({ code: 'KeyV' }), press({ key: 't' })]).toEqual([true, false])
  expect(press({ altKey: true }) || press({ shiftKey: true }) || press({ metaKey: true })).toBe(false)
  expect(press({ ctrlKey: false })).toBe(false)
})
