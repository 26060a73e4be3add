import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The modules of a page whose browser prefers `languages`. */
async function start(...languages: string[]) {
  vi.resetModules()
  const documentElement = { lang: 'en' }
  vi.stubGlobal('navigator', { languages })
  vi.stubGlobal('document', { documentElement })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const [translate, { tRich }, format, keys] = await Promise.all([
    import('./translate.ts'),
    import('./rich-text.ts'),
    import('./format.ts'),
    import('../common/commands/shortcut-keys.ts'),
  ])
  await translate.startLanguage()
  return { ...translate, ...format, ...keys, tRich, documentElement }
}

test('[LANG-1] texts, messages and elements are in the language of the browser, and the page says which', async () => {
  const { t, tEach, tRich, documentElement } = await start('de-DE')
  expect(documentElement.lang).toBe('de')
  expect(t('Cancel')).toBe('Abbrechen')
  expect(tEach({ one: 'Find', other: 'Open|adjective' })).toEqual({ one: 'Suchen', other: 'Offen' })
  expect(t('{count, plural, one {# reply} other {# replies}}', { count: 1 })).toBe('1 Antwort')
  expect(t('{count, plural, one {# word} other {# words}}', { count: 12_345 })).toBe('12.345 Wörter')
  const followed = tRich('Following <bdi>{name}</bdi>', { name: '<b>Ana', bdi: (name) => <bdi>{name}</bdi> })
  expect(renderToStaticMarkup(followed)).toBe('Sie folgen <bdi>&lt;b&gt;Ana</bdi>')
})

test('[LANG-1] in English a text is its key, without what only translators need', async () => {
  const { t, documentElement } = await start('ja', 'en-GB')
  expect(documentElement.lang).toBe('en')
  expect([t('Cancel'), t('Open|adjective')]).toEqual(['Cancel', 'Open'])
  expect(t('{count, plural, one {# word} other {# words}}', { count: 12_345 })).toBe('12,345 words')
})

test('[LANG-3] numbers, dates and lists are written as the user’s variant of the language writes them', async () => {
  const swiss = await start('de-CH')
  expect(swiss.formatNumber(1.5)).toBe('1.5')
  expect(swiss.formatList(['Ana', 'Ben', 'Cleo'])).toBe('Ana, Ben und Cleo')
  expect(swiss.formatRelative(-1, 'day')).toBe('gestern')
  const british = await start('en-GB')
  const noon = new Date(2026, 10, 3, 12)
  expect(british.formatDate(noon, { dateStyle: 'medium' })).toBe('3 Nov 2026')
  expect(british.formatDate(noon.getTime(), { dateStyle: 'medium' })).toBe('3 Nov 2026')
})

test('[LANG-4] a text of the server is translated if the language has it', async () => {
  const german = await start('de')
  expect([german.sentText('This is too large.'), german.sentText('Never written before.')]).toEqual([
    'Das ist zu groß.',
    undefined,
  ])
  const english = await start('en')
  expect(english.sentText('Never written before.')).toBe('Never written before.')
})

test('[LANG-8] what the agent does and did is translated with its values, as it was sent if that can’t be', async () => {
  const { sentText } = await start('de')
  const matches = { key: '{0, plural, one {# match} other {# matches}}', values: [1200] }
  const texts = [
    { key: 'Searching for “{0}”…', values: ['the “old” $& {fees}'] },
    { key: '{0} in section {1}', values: [{ key: 'at least {0} for "{1}"', values: [matches, 'a'] }, 2] },
    { key: 'Suggested: {0}', values: [{ key: '{0} → {1}', values: ['teh', { key: '(removed)', values: [] }] }] },
  ]
  expect(texts.map((text) => sentText('In English', text))).toEqual([
    'Sucht nach „the “old” $& {fees}“ …',
    'mindestens 1.200 Treffer für „a“ in Abschnitt 2',
    'Vorgeschlagen: teh → (entfernt)',
  ])
  expect(sentText('Moved the lot', { key: 'Moved the lot', values: [] })).toBeUndefined()
  expect(sentText('constructor')).toBeUndefined()
  // Steps of earlier versions have only their summary.
  expect(sentText('Read the document')).toBe('Dokument gelesen')
  const english = await start('en')
  expect(english.sentText('In English', texts[0])).toBe('In English')
})

test('[LANG-6] keys have the names that keyboards of the language show, on Macs their signs', async () => {
  const { formatShortcut } = await start('de')
  expect(['Mod-Shift-7', 'Alt-ArrowUp', 'Mod-Enter'].map((keys) => formatShortcut(keys, false))).toEqual([
    'Strg+Umschalt+7',
    'Alt+↑',
    'Strg+Eingabe',
  ])
  expect(formatShortcut('Mod-Shift-7', true)).toBe('⌘⇧7')
  const english = await start('en')
  expect(english.formatShortcut('Mod-Shift-7', false)).toBe('Ctrl+Shift+7')
})

test('[LANG-8] why a call failed, and its hint, are in German once the panel has loaded their texts', async () => {
  const { sentText, loadFailureTexts } = await start('de')
  const message = { key: '"{0}" isn\'t in the document.', values: ['unicorn'] }
  expect(sentText('"unicorn" isn\'t in the document.', message)).toBeUndefined()
  await loadFailureTexts()
  expect(sentText('"unicorn" isn\'t in the document.', message)).toBe('„unicorn“ steht nicht im Dokument.')
  const nearest = { key: '"{0}" in block [{1}]', values: ['unicode', 3] }
  const hint = {
    key: '{0}Look for it with search_document.{1}',
    values: [{ key: 'Did you mean {0}? ', values: [nearest] }, ''],
  }
  expect(sentText('', hint)).toBe('Gemeint ist vielleicht „unicode“ in Block [3]. Mit search_document danach suchen.')
  expect(sentText('find is empty.')).toBe('find ist leer.')
})
