import { editPlans } from './edit-plans.ts'
import { formatPlans } from './format-plans.ts'
import { forms } from './forms.ts'
import { lookPlans } from './look-plans.ts'
import { declineText, quote } from './messages.ts'
import { type Phrase, readDictated, readPlain, toPhrase } from './phrase.ts'
import { type Parts, type Plan, type Plans, stop } from './plan.ts'
import { reviewPlans } from './review-plans.ts'
import { readPlace, readReplacement, readTarget } from './terms.ts'

const plans: Plans = { ...reviewPlans, ...formatPlans, ...lookPlans, ...editPlans }

/** A parsed command: its name and parts, or `declined` with the reason as `text`; and its plan. */
export type Command = Partial<Parts> & { kind: string; plan: Plan }

/** Parses an instruction; what isn't surely understood is declined. `selection` is what "this" means. */
export function parseCommand(instruction: string, selection?: string): Command {
  const phrase = toPhrase(instruction, selection)
  const whole = parseSentence(phrase)
  if (whole) return whole
  // A request may come at the end of a paragraph on another subject, if nothing before it is a request or a condition.
  // A decision on all users' suggestions must be the whole request.
  const sentences = instruction.split(/(?<=[.!?])\s+/).map((sentence) => toPhrase(sentence, selection))
  const last = sentences.length > 1 ? parseSentence(sentences.pop() ?? phrase) : undefined
  const isBound = sentences.some((each) => binding.test(each.text) || parseSentence(each))
  if (last && !isBound && last.kind !== 'decide') return last
  return decline(`I did not understand ${quote(readPlain(phrase.text, phrase))}.`, phrase)
}

const binding =
  /\b(?:not|never|if|unless|don['’]t)\b|^(?:replace|change|make|turn|set|format|delete|remove|fix|correct|add|insert|move|suggest|comment)\b/i

function parseSentence(phrase: Phrase): Command | undefined {
  for (const [kind, form] of forms) {
    const match = form.exec(phrase.text)
    if (match) return toCommand(kind, (name) => match.groups?.[name]?.trim() ?? '', phrase)
  }
  return undefined
}

function toCommand(kind: string, part: (name: string) => string, phrase: Phrase): Command {
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
  const plan = plans[kind]?.(parts) ?? { unsure: '' }
  return 'unsure' in plan ? decline(plan.unsure, phrase) : { ...parts, kind, plan }
}

function decline(reason: string, phrase: Phrase): Command {
  return { kind: 'declined', text: reason, plan: stop(declineText(reason, phrase)) }
}
