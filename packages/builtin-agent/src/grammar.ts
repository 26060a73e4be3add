import { changePlans } from './change-plans.ts'
import { type Answer, say } from './language/answers.ts'
import { compile, inEach, type Language } from './language/language.ts'
import { declineText } from './messages.ts'
import { type Phrase, readDictated, readPlain, toPhrase } from './phrase.ts'
import { type Parts, type Plan, stop } from './plan.ts'
import { reviewPlans } from './review-plans.ts'
import { readPlace, readReplacement, readTarget, type Spoken } from './terms.ts'

const plans = { ...reviewPlans, ...changePlans }

/** A parsed command: its name and parts, or `declined` with the reason as `unsure`; its plan, and its language. */
export type Command = Partial<Parts> & { kind: string; plan: Plan; language: Language; unsure?: Answer }

/**
 * Parses an instruction; what isn't surely understood is declined. `selection` is what "this" means, `language` that of
 * the answer where the instruction tells none.
 */
export function parseCommand(instruction: string, selection?: string, language?: Language): Command {
  const phrase = toPhrase(instruction, selection, language)
  const whole = parseSentence(phrase)
  if (whole) return whole
  // A request may come at the end of a paragraph on another subject, if nothing before it is a request or a condition.
  // A decision on all users' suggestions must be the whole request.
  const sentences = instruction.split(/(?<=[.!?])\s+/).map((sentence) => toPhrase(sentence, selection, language))
  const last = parseSentence(sentences.pop() ?? phrase)
  const isBound = sentences.some(
    (each) => binding.en.test(each.text) || binding.de.test(each.text) || parseSentence(each),
  )
  if (last && !isBound && last.kind !== 'decide') return last
  return decline(say('I did not understand “{said}”.', { said: readPlain(phrase.text, phrase) }), phrase)
}

const binding = inEach((data) => compile(data.binding, data))
const forms = inEach((data, language) =>
  Object.entries(data.forms).flatMap(([kind, patterns]) =>
    patterns.map((pattern) => ({ kind, spoken: language, form: compile(`^(?:${pattern})$`, data) })),
  ),
)

function parseSentence(phrase: Phrase): Command | undefined {
  for (const { kind, form, spoken } of [...forms.de, ...forms.en]) {
    const match = form.exec(phrase.text)
    const language = spoken === 'en' ? phrase.language : spoken
    if (match) return toCommand(kind, (name) => match.groups?.[name]?.trim() ?? '', { ...phrase, spoken, language })
  }
  return undefined
}

function toCommand(kind: string, part: (name: string) => string, phrase: Spoken): Command {
  const replacement = readReplacement(part('new'), phrase)
  if ('unsure' in replacement) return decline(replacement.unsure, phrase)
  const target = readTarget(part('target') || part('passage'), phrase, part('passage') !== '')
  if ('unsure' in target) return decline(target.unsure, phrase)
  const place = readPlace(part('place'), phrase)
  if (place && 'unsure' in place) return decline(place.unsure, phrase)
  const own = target.scope
  const scope = own.occurrence === 'all' ? { ...replacement.scope, ...(own.everywhere ? own : {}) } : own
  const said = readPlain(part('quoted') || part('plain'), phrase) || readDictated(part('said'), phrase)
  const word = (name: string): string => part(name).toLowerCase()
  const parts: Parts = { target: { ...target, scope }, place, text: replacement.text || said, word }
  const plan = plans[kind]?.(parts) ?? { unsure: () => '' }
  return 'unsure' in plan ? decline(plan.unsure, phrase) : { ...parts, kind, plan, language: phrase.language }
}

function decline(unsure: Answer, phrase: Phrase): Command {
  return { kind: 'declined', unsure, plan: stop(declineText(unsure, phrase)), language: phrase.language }
}
