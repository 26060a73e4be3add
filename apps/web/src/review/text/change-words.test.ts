import { englishWords, schema } from '@copydesk/schema'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function wordsIn(language: string) {
  vi.resetModules()
  vi.stubGlobal('navigator', { languages: [language] })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const { startLanguage } = await import('../../i18n/translate.ts')
  await startLanguage()
  return (await import('./change-words.ts')).changeWords()
}

const blocks: readonly [type: string, attributes: Record<string, unknown>, german: string][] = [
  ['paragraph', {}, 'Absatz'],
  ['heading', { level: 2 }, 'Überschrift 2'],
  ['blockquote', {}, 'Zitat'],
  ['codeBlock', { language: 'css' }, 'Code (css)'],
  ['codeBlock', { language: null }, 'Code'],
  ['bulletList', {}, 'Aufzählung'],
  ['orderedList', { start: 1 }, 'nummerierte Liste'],
  ['orderedList', { start: 4 }, 'nummerierte Liste ab 4'],
  ['taskItem', { checked: true }, 'erledigt'],
  ['taskItem', { checked: false }, 'offen'],
  ['tableHeader', { align: null }, 'Kopfzelle'],
  ['tableCell', { align: 'center' }, 'Zelle, zentriert'],
  ['image', { src: 'a.png', alt: 'Hafen', width: 300, align: 'right' }, 'Bild a.png, Hafen, 300 Pixel breit, rechts'],
  ['image', { src: 'a.png', width: '50%' }, 'Bild a.png, 50% breit'],
  ['blockMath', { latex: 'x' }, '$$x$$'],
]

const formats: readonly [type: string, attributes: Record<string, unknown>, german: string][] = [
  ['bold', {}, 'fett'],
  ['strike', {}, 'durchgestrichen'],
  ['link', { href: 'https://example.org' }, 'Link zu https://example.org'],
  ['highlight', { color: 'green' }, 'hervorgehoben green'],
]

test('[LANG-2] types of blocks and formats of suggested changes are named in German', async () => {
  const words = await wordsIn('de')
  for (const [type, attributes, german] of blocks) expect(words.block(type, attributes)).toBe(german)
  for (const [type, attributes, german] of formats) expect(words.format(schema.mark(type, attributes))).toBe(german)
  expect([words.plain, words.quote('x')]).toEqual(['ohne Format', '„x“'])
})

test('[LANG-2] in English they are named as for the agent', async () => {
  const words = await wordsIn('en')
  for (const [type, attributes] of blocks)
    expect(words.block(type, attributes)).toBe(englishWords.block(type, attributes))
  for (const [type, attributes] of formats) {
    const mark = schema.mark(type, attributes)
    expect(words.format(mark)).toBe(englishWords.format(mark))
  }
  expect([words.plain, words.quote('x')]).toEqual([englishWords.plain, englishWords.quote('x')])
})
