import { englishTexts, type PanelTexts } from '@copydesk/agent-panel'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The texts of the panel in a language, with values. */
async function say(language: string) {
  vi.resetModules()
  vi.stubGlobal('navigator', { languages: [language] })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const { startLanguage } = await import('../i18n/translate.ts')
  await startLanguage()
  const { panelTexts } = await import('./panel-texts.ts')
  return spoken(panelTexts())
}

function spoken(texts: PanelTexts) {
  const {
    messageTo,
    withEnter,
    quoted,
    words,
    agentWorks,
    agentWaits,
    stepCount,
    changeCount,
    hintForAgent,
    moreChanges,
    seconds,
    minutes,
    took,
    wantsChanges,
    asksFirst,
    ...plain
  } = texts
  const named = [messageTo, withEnter, quoted, agentWorks, hintForAgent, seconds, minutes, took, asksFirst].map(
    (text) => text('7'),
  )
  const counted = [words, stepCount, changeCount, moreChanges].flatMap((text) => [text(1), text(2)])
  const both = [agentWaits, wantsChanges].flatMap((text) => [text('Ada', 1), text('Ada', 2)])
  return { plain, withValues: [...named, ...counted, ...both] }
}

test('[LANG-2] in English the panel says the same as by itself', async () => {
  expect(await say('en')).toEqual(spoken(englishTexts))
})

test('[LANG-2] in German it says everything in German', async () => {
  const { plain, withValues } = await say('de')
  const same = Object.entries(plain).filter(([name, text]) => text === englishTexts[name as keyof PanelTexts])
  expect(same.map(([name]) => name)).toEqual(['agent', 'chats', 'plan'])
  expect(withValues).toEqual([
    'Nachricht an 7',
    '7 (Eingabe)',
    '„7“',
    '7 arbeitet',
    'Hinweis für den Agenten: 7',
    '7 s',
    '7 min',
    'Dauer: 7',
    '7 fragt, bevor es nach außen geht',
    '1 Wort',
    '2 Wörter',
    '1 Schritt',
    '2 Schritte',
    '1 Änderung',
    '2 Änderungen',
    '… und 1 weitere',
    '… und 2 weitere',
    'Ada wartet auf Ihre Zustimmung zu einer Änderung',
    'Ada wartet auf Ihre Zustimmung zu 2 Änderungen',
    'Ada möchte eine Änderung machen',
    'Ada möchte 2 Änderungen machen',
  ])
})
