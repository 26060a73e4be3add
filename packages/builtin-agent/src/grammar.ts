import { changePlans } from './change-plans.ts'
import { type Answer, joined, say } from './language/answers.ts'
import { compile, examples, type Language, languages } from './language/language.ts'
import { type Phrase, readDictated, readPlain, toPhrase } from './phrase.ts'
import { type Parts, type Plan, stop } from './plan.ts'
import { reviewPlans } from './review-plans.ts'
import { readPlace, readReplacement, readTarget, type LocalizedPhrase } from './terms.ts'

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
  const isBound = sentences.some((each) => binding.some((words) => words.test(each.text)) || parseSentence(each))
  if (last && !isBound && last.kind !== 'decide') return last
  return decline(say('I did not understand “{said}”.', { said: readPlain(phrase.text, phrase) }), phrase)
}

const binding = Object.values(languages).map((data) => compile(data.binding, data))
const forms = (['de', 'en'] as const).flatMap((spoken) =>
  Object.entries(languages[spoken].forms).flatMap(([kind, patterns]) =>
    patterns.map((pattern) => ({ kind, spoken, form: compile(`^(?:${pattern})$`, languages[spoken]) })),
  ),
)

function parseSentence(phrase: Phrase): Command | undefined {
  for (const { kind, form, spoken } of forms) {
    const match = form.exec(phrase.text)
    const language = spoken === 'en' ? phrase.language : spoken
    if (match) return toCommand(kind, (name) => match.groups?.[name]?.trim() ?? '', { ...phrase, spoken, language })
  }
  return undefined
}

function toCommand(kind: string, part: (name: string) => string, phrase: LocalizedPhrase): Command {
  const replacement = readReplacement(part('new'), phrase)
  if (typeof replacement === 'function') return decline(replacement, phrase)
  const target = readTarget(part('target') || part('passage'), phrase, part('passage') !== '')
  if (typeof target === 'function') return decline(target, phrase)
  const place = readPlace(part('place'), phrase)
  if (typeof place === 'function') return decline(place, phrase)
  const own = target.scope
  const scope = own.occurrence === 'all' ? { ...replacement.scope, ...(own.everywhere ? own : {}) } : own
  const said = readPlain(part('quoted') || part('plain'), phrase) || readDictated(part('said'), phrase)
  const word = (name: string): string => part(name).toLowerCase()
  const parts: Parts = { target: { ...target, scope }, place, text: replacement.text || said, word }
  const plan = plans[kind]?.(parts) ?? (() => kind)
  return typeof plan === 'function' ? decline(plan, phrase) : { ...parts, kind, plan, language: phrase.language }
}

// Tells in two lines why nothing was done, and three commands that fit.
function decline(unsure: Answer, { text, quotations, language }: Phrase): Command {
  const quoted = quotations.find((each) => /\S/.test(each) && each.length <= 40 && !each.includes('\n'))
  const [x, y] = [quoted ?? say('some words')(language), say('other words')(language)]
  const { commands } = examples[language].find(({ pattern }) => pattern.test(text)) ?? {}
  const filled =
    commands &&
    say(commands)(language)
      .replaceAll('"X"', () => `"${x}"`)
      .replaceAll('"Y"', `"${y}"`)
  const offer = say('You can say: {commands}', { commands: () => filled ?? '' })
  const answer = joined([joined([unsure, say('I have changed nothing.')], ' '), offer])
  return { kind: 'declined', unsure, plan: stop(answer), language }
}
