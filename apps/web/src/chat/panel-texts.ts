import { englishTexts, type PanelTexts } from '@copydesk/agent-panel'
import { t, tEach } from '../i18n/translate.ts'

/** The texts of `AgentPanel` in the user's language. */
export function panelTexts(): PanelTexts {
  return { ...tEach(plainTexts), ...textsWithValues }
}

type EnglishTexts = typeof englishTexts
type PlainTexts = {
  [Name in keyof EnglishTexts as EnglishTexts[Name] extends string ? Name : never]: EnglishTexts[Name]
}

const plainTexts = Object.fromEntries(
  Object.entries(englishTexts).filter(([, text]) => typeof text === 'string'),
) as PlainTexts

const textsWithValues: Omit<PanelTexts, keyof PlainTexts> = {
  messageTo: (agent) => t('Message {agent}', { agent }),
  withEnter: (label) => t('{label} (Enter)', { label }),
  quoted: (text) => t('“{text}”', { text }),
  words: (count) => t('{count, plural, one {# word} other {# words}}', { count }),
  agentWorks: (agent) => t('{agent} is working', { agent }),
  agentWaits: (agent, count) =>
    t('{agent} waits for your approval of {count, plural, one {a change} other {# changes}}', { agent, count }),
  stepCount: (count) => t('{count, plural, one {# step} other {# steps}}', { count }),
  changeCount: (count) => t('{count, plural, one {# change} other {# changes}}', { count }),
  hintForAgent: (hint) => t('Hint for the agent: {hint}', { hint }),
  moreChanges: (count) => t('…and {count, number} more', { count }),
  seconds: (count) => t('{count} s', { count }),
  minutes: (count) => t('{count} min', { count }),
  took: (duration) => t('Took {duration}', { duration }),
  asksFirst: (agent) => t('{agent} asks before it goes out', { agent }),
  wantsChanges: (agent, count) =>
    t('{agent} wants to make {count, plural, one {a change} other {# changes}}', { agent, count }),
}
