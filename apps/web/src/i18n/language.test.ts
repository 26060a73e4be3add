import { expect, test } from 'vitest'
import { findWording } from './language.ts'

test('[LANG-1] the choice comes first, then the languages of the browser in their order, then English', () => {
  expect(findWording('de', ['en-US', 'fr'])).toEqual({ language: 'de', locale: 'de' })
  expect(findWording(null, ['fr-FR', 'de-AT', 'en'])).toEqual({ language: 'de', locale: 'de-AT' })
  expect(findWording(null, ['fr', 'ja'])).toEqual({ language: 'en', locale: 'en' })
  expect(findWording(null, [])).toEqual({ language: 'en', locale: 'en' })
})

test('[LANG-1] a choice that there is no longer, and tags that Intl refuses, are passed over', () => {
  expect(findWording('constructor', ['de'])).toEqual({ language: 'de', locale: 'de' })
  expect(findWording('', ['en-US@posix', 'en-GB'])).toEqual({ language: 'en', locale: 'en-GB' })
})

test('[LANG-3] the variant of the chosen language is the user’s own, if they have one', () => {
  expect(findWording('de', ['en-GB', 'de-CH'])).toEqual({ language: 'de', locale: 'de-CH' })
})
