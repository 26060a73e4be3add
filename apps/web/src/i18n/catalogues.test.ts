import compile from 'icu-minify/compile'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from './language.ts'

// The build compiles an imported catalogue.
const catalogues = Object.keys(languages)
  .filter((language) => language !== 'en')
  .map((language): [string, Record<string, string>] => [
    language,
    JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8')),
  ])

/** The inputs of a message: arguments with their types, those of `select` with its branches, and tags. */
function argumentsOf(message: unknown): string[] {
  if (!Array.isArray(message)) return []
  return message.flatMap((node: unknown) => {
    if (!Array.isArray(node)) return []
    const [name, type, options] = node as [string, unknown, unknown]
    if (type === undefined) return [name]
    if (typeof type !== 'number') return [`<${name}>`, ...argumentsOf(node.slice(1))]
    const branches = typeof options === 'object' && options !== null ? Object.entries(options) : []
    const own = type === selectType ? branches.map(([branch]) => `${name}=${branch}`) : [`${name} ${type}`]
    return [...own, ...branches.flatMap(([, branch]) => argumentsOf(branch))]
  })
}

// In messages that icu-minify has compiled.
const selectType = 1

const valuesOf = (text: string): string => [...new Set(argumentsOf(compile(text)))].toSorted().join(', ')

test.each(catalogues)('[LANG-2] %s takes the same values in each text as English', (_language, texts) => {
  const messages = Object.entries(texts).filter(([key]) => /\{|<\//.test(key))
  const differing = messages.filter(([key, text]) => valuesOf(key) !== valuesOf(text))
  expect(differing.map(([key, text]) => `${key}: ${valuesOf(text)} instead of ${valuesOf(key)}`)).toEqual([])
})

test.each(catalogues)('[LANG-2] %s has a form for each plural of the language', (language, texts) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const incomplete = Object.values(texts).filter((text) =>
    [...text.matchAll(/, plural, /g)].some(() => !forms.every((form) => text.includes(`${form} {`))),
  )
  expect(incomplete).toEqual([])
})

test('[LANG-2] German quotes and dots are German', () => {
  const [, texts] = catalogues.find(([language]) => language === 'de') ?? []
  const foreign = Object.values(texts ?? {}).filter((text) => /[“"'](?=[\p{L}{])|”|\.\.\.|[^\s„]…/u.test(text))
  expect(foreign).toEqual([])
})
