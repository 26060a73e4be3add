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
  vi.stubGlobal('document', { documentElement: { style: {} } })
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

test('[LANG-8] the sentences that the agent loop adds to answers, and why a tool server is down, are in German', async () => {
  await say('de')
  const { loadFailureTexts } = await import('../i18n/translate.ts')
  await loadFailureTexts()
  const { answerInWords, inUsersLanguage } = await import('./runs/run-view.ts')
  const repeated =
    'I stopped because I called find_text three times in the same way and got the same result each time. Please say it in other words, or point me to the place.'
  expect(answerInWords(`Sure.\n\n${repeated}`)).toMatch(
    /^Sure\.\n\nIch habe aufgehört, weil ich find_text dreimal .* zeigen Sie mir die Stelle\.$/,
  )
  const limited =
    'I stopped here because the rounds of this run are used up. What I changed so far stays; the rest is not done.'
  expect(answerInWords(limited)).toContain('weil die Runden für diesen Auftrag aufgebraucht sind')
  expect(answerInWords(limited.replace('rounds', 'tokens or money of its caller for today'))).toContain(
    'weil die Tokens oder Mittel, die der Auftraggeber heute hat, für diesen Auftrag aufgebraucht sind',
  )
  expect(answerInWords('Half a word\n\n(The answer was cut off at the output limit.)')).toBe(
    'Half a word\n\n(Die Antwort brach an der Längengrenze ab.)',
  )
  const reason = { key: 'it refused the server’s token', values: [] }
  expect(inUsersLanguage('', { key: 'The tool server {0} is down: {1}.', values: ['wiki', reason] })).toBe(
    'Der Werkzeug-Server wiki ist nicht verfügbar: er hat das Token des Servers abgelehnt.',
  )
})
