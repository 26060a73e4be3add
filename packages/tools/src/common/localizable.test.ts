import { expect, test } from 'vitest'
import { counted, empty, inEnglish, localizable, removed } from './localizable.ts'

test('[LANG-8] a text has a key and values, and in English it reads as it was written', () => {
  const found = localizable`at least ${counted(1200, 'match', 'matches')} for "${'{0} $&'}"`
  expect(found).toEqual({
    key: 'at least {0} for "{1}"',
    values: [{ key: '{0, plural, one {# match} other {# matches}}', values: [1200] }, '{0} $&'],
  })
  expect(inEnglish(found)).toBe('at least 1200 matches for "{0} $&"')
  expect(inEnglish(localizable`${empty} → ${removed}, ${counted(1, 'place')}`)).toBe('(empty) → (removed), 1 place')
})
