import { afterEach, expect, test, vi } from 'vitest'
import type { PaletteGroup } from '../common/commands/palette-additions.ts'
import type { EnglishText } from '../i18n/translate.ts'
import { findEntries } from './find-entries.ts'

// Only one test uses German: other files of this worker share the modules.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const entry = (label: string, ...words: EnglishText[]) => ({ id: label, label, words, run: () => undefined })
const groups: PaletteGroup[] = [
  { title: 'Documents', entries: [entry('Meeting notes'), entry('Budget 2027'), entry('Untitled')] },
  { title: 'In this document', entries: [entry('The budget'), entry('Timeline')] },
  { title: 'Commands', entries: [entry('Bold'), entry('Print…', 'pdf paper'), entry('Version history')] },
  { title: 'People here', entries: [] },
]

const shown = (search: string, found: string[] = []) =>
  findEntries(groups, search, ({ id }) => found.includes(id)).flatMap(({ title, entries }) =>
    entries.map(({ label }) => `${title}: ${label}`),
  )

test('[PALETTE-1] without a search everything is there in its order, without empty groups', () => {
  expect(findEntries(groups, ' ').map(({ title }) => title)).toEqual(['Documents', 'In this document', 'Commands'])
  expect(shown('')).toHaveLength(8)
})

test('[PALETTE-1] a search finds beginnings of words, letters in order and other words, the best first', () => {
  expect(shown('bud')).toEqual(['Documents: Budget 2027', 'In this document: The budget'])
  expect(shown('vh')).toEqual(['Commands: Version history'])
  expect(shown('PDF')).toEqual(['Commands: Print…'])
  expect(shown('bold')).toEqual(['Commands: Bold'])
  expect(shown('xyz')).toEqual([])
})

test('[PALETTE-1] what the server found by its text comes after what a label matches', () => {
  expect(shown('bud', ['Untitled'])).toEqual([
    'Documents: Budget 2027',
    'Documents: Untitled',
    'In this document: The budget',
  ])
})

test('[LANG-7] in German a search finds by German words, and by the English name and words', async () => {
  vi.resetModules()
  vi.stubGlobal('navigator', { languages: ['de'] })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const [{ startLanguage, t }, german] = await Promise.all([
    import('../i18n/translate.ts'),
    import('./find-entries.ts'),
  ])
  await startLanguage()
  const print = entry(t('Print…'), 'pdf paper')
  const history = entry(t('Version history'), 'versions restore')
  const commands = [{ title: t('Commands'), entries: [print, history] }]
  const found = (search: string) => german.findEntries(commands, search).flatMap(({ entries }) => entries)
  for (const search of ['drucken', 'papier', 'print', 'paper']) expect(found(search)).toEqual([print])
  for (const search of ['verlauf', 'wiederherstellen', 'version history', 'restore'])
    expect(found(search)).toEqual([history])
})
