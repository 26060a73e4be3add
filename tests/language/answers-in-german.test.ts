import { afterEach, expect, test, vi } from 'vitest'
import {
  cutOffNote,
  refusedAnswer,
  repetitionAnswer,
  silentAnswer,
  unclosedAnswer,
} from '../../packages/agent/src/loop/loop-messages.ts'
import { toolServerErrorTexts } from '../../apps/server/src/tool-servers/connection/tool-server-error.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('[LANG-8] sentences of the agent loop, and why a tool server is down, are in German', async () => {
  vi.stubGlobal('navigator', { languages: ['de'] })
  vi.stubGlobal('document', { documentElement: { style: {} } })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const { loadFailureTexts, sentText, startLanguage } = await import('../../apps/web/src/i18n/translate.ts')
  await startLanguage()
  await loadFailureTexts()
  const { answerInWords } = await import('../../apps/web/src/chat/runs/run-view.ts')
  expect(answerInWords(`Sure.\n\n${repetitionAnswer('find_text')}`)).toMatch(
    /^Sure\.\n\nIch habe aufgehört, weil ich find_text dreimal .* zeigen Sie mir die Stelle\.$/,
  )
  expect(answerInWords(unclosedAnswer('rounds'))).toContain('weil die Runden für diesen Auftrag aufgebraucht sind')
  const fixed = [refusedAnswer, silentAnswer, cutOffNote]
  expect(fixed.filter((sentence) => answerInWords(sentence) === sentence)).toEqual([])
  expect(Object.values(toolServerErrorTexts).filter((reason) => sentText(reason) === undefined)).toEqual([])
  const reason = { key: toolServerErrorTexts.unreachable, values: [] }
  expect(sentText('', { key: 'The tool server {0} is down: {1}.', values: ['wiki', reason] })).toBe(
    'Der Werkzeug-Server wiki ist nicht verfügbar: er ist nicht erreichbar.',
  )
})
