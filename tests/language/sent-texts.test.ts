import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { expect, test, vi } from 'vitest'
import { languages } from '../../apps/web/src/i18n/language.ts'
import { counted, inEnglish, localizable, removed } from '../../packages/tools/src/common/localizable.ts'
import { failureMeanings } from '../../packages/tools/src/common/result.ts'
import { asIntended } from '../../packages/tools/src/session/commit/change-plan.ts'
import { activityOn } from '../../packages/tools/src/tool/define-tool.ts'
import { root } from '../../scripts/lib/paths.ts'

const i18n = join(root, 'apps/web/src/i18n')

const catalogues = Object.keys(languages)
  .filter((language) => language !== 'en')
  .map((language): [string, Record<string, string>] => [
    language,
    JSON.parse(readFileSync(join(i18n, `${language}.json`), 'utf8')),
  ])

const serverSources = '{apps/server,packages/{agent,builtin-agent,protocol,tools}}/src/**/*.ts'

function sourcesOf(...patterns: string[]): string[] {
  const files = globSync(patterns, { cwd: root }).filter((file) => !file.includes('.test.'))
  return files.map((file) => readFileSync(join(root, file), 'utf8'))
}

/** The keys of all texts that the server sends as `Localizable`. */
const sent = readSentKeys()
function readSentKeys(): string[] {
  const keys: string[] = Object.values(failureMeanings)
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'localizable') return
      const parts = quasi.quasis.map(({ value }) => value.cooked ?? '')
      keys.push(parts.reduce((before, part, index) => `${before}{${index - 1}}${part}`))
    },
    CallExpression({ callee, arguments: given }) {
      const texts = given.flatMap((each) =>
        each.type === 'Literal' && typeof each.value === 'string' ? each.value : [],
      )
      const [text = ''] = texts
      if (callee.type !== 'Identifier' || texts.length === 0) return
      if (callee.name === 'counted') keys.push(counted(1, ...(texts as [string])).key)
      if (callee.name === 'activityOn') keys.push(activityOn(text, undefined).key, activityOn(text, 'x').key)
    },
  })
  for (const source of sourcesOf('{apps/server/src/agent,packages/tools/src}/**/*.ts'))
    visitor.visit(parseSync('source.ts', source).program)
  return [...new Set(keys.flatMap((key) => [key, asIntended({ key, values: [] }).key]))]
}

/** `sentText` of a page whose browser wants a language. */
async function sentTextIn(language: string) {
  vi.resetModules()
  vi.stubGlobal('navigator', { languages: [language] })
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const { sentText, startLanguage } = await import('../../apps/web/src/i18n/translate.ts')
  await startLanguage()
  vi.unstubAllGlobals()
  return sentText
}

test.each(catalogues)('[LANG-2] %s has its texts in order, and none that nothing shows', (_language, texts) => {
  const keys = Object.keys(texts)
  expect(keys).toEqual(keys.toSorted())
  const source = sourcesOf('apps/web/src/**/*.{ts,tsx}', serverSources).join('\n')
  expect(keys.filter((key) => !source.includes(`'${key}'`) && !sent.includes(key))).toEqual([])
})

test.each(catalogues)('[LANG-8] %s has what the agent does and did', (_language, texts) => {
  const keys = sent
  expect(keys).toEqual(
    expect.arrayContaining(['Reading…', 'Commenting…', 'Editing “{0}”…', 'Moved "{0}"', 'Move "{0}"', 'Not allowed']),
  )
  expect(keys).toContain('{0, plural, one {# match} other {# matches}}')
  expect(keys.filter((key) => !Object.hasOwn(texts, key))).toEqual([])
})

test('[LANG-8] what the agent does and did is translated with its values, as it was sent if that can’t be', async () => {
  const searching = activityOn('Searching for', 'the “old” $& {fees}')
  const found = localizable`${localizable`at least ${counted(1200, 'match', 'matches')} for "${'a'}"`} in section ${2}`
  const suggested = localizable`Suggested: ${localizable`${'teh'} → ${removed}`}`
  const sentText = await sentTextIn('de')
  const inGerman = [searching, found, suggested].map((text) => sentText(inEnglish(text), text))
  expect(inGerman).toEqual([
    'Sucht nach „the “old” $& {fees}“ …',
    'mindestens 1.200 Treffer für „a“ in Abschnitt 2',
    'Vorgeschlagen: teh → (entfernt)',
  ])
  expect(sentText('Moved the lot', localizable`Moved the lot`)).toBeUndefined()
  expect(sentText('constructor')).toBeUndefined()
  // Steps of earlier versions have no more than their summary.
  expect(sentText('Read the document')).toBe('Dokument gelesen')
  const sentInEnglish = await sentTextIn('en')
  expect([searching, found, suggested].map((text) => sentInEnglish(inEnglish(text), text))).toEqual([
    'Searching for “the “old” $& {fees}”…',
    'at least 1200 matches for "a" in section 2',
    'Suggested: teh → (removed)',
  ])
})
