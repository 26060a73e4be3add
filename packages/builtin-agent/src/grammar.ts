import { changePlans, formats } from './change-plans.ts'
import { fromGerman } from './language/german-commands.ts'
import type { Answer, Language } from './language/texts.ts'
import { declineText } from './messages.ts'
import { type Phrase, quotedPattern, readDictated, readPlain, toPhrase } from './phrase.ts'
import { type Parts, type Plan, stop } from './plan.ts'
import { reviewPlans } from './review-plans.ts'
import { readPlace, readReplacement, readTarget } from './terms.ts'

const quoted = `(?<quoted>${quotedPattern})`
const arrow = '(->|→|=>)'
const drop = '(delete|remove|erase|drop|cut|get rid of|take out)'
const dropSection = `${drop} (the )?(whole |entire )?`
const make = '(make|turn|set|format|convert|put)'
const level = '( ?(of )?(level )?(?<level>[1-6]))?'
const format = `(?<format>${formats.map(({ words }) => words).join('|')})${level}`
const verb = '(?<verb>append|create|prepend|add|insert|write|put|type|paste)'
const thing = '(?<noun>title|(sub)?heading|paragraph|line|sentence|text|word|phrase|(list )?item|bullet)'
const noun = `(( (an?|the))?( new)? ${thing}${level}( (called|named|saying|that says|with))?)?`
const asked = '((what|which|are there|show|list|summari[sz]e|give|tell)( (me|us|are|is|the|all|any|of|about))*|any)'
const whole = '( (are|is|does|there|here|open|of|in|on|it|this|the|document|text|page|have))*'
const changes = '(?<changes>((suggested|tracked) )?(change|suggestion|edit)s?)'
const suggest = '(suggest|propose)( that (we|you)| to)?'
const comment = '((leave|make|put|write|add) )?(an? |the )?comment'
const on = '(on|at|about|to|for|beside|next to)'
const instead = '(instead of|in place of|rather than)'
const thread = '( (all|of|the|this|open))* (comment|thread)(?<many>s)?( (on|about) {passage})?'

/**
 * The language of the agent: the name of a command and a form of its sentence; the first form that matches a whole
 * sentence counts. A form is a regular expression with the parts `{target}` (a text), `{passage}` (a text that stays as
 * it is), `{new}` (what replaces a text), `{place}`, `{said}` (a text verbatim) and `{plain}` (any words).
 */
const forms = String.raw`
listComments  (${asked} )?((open|unresolved) )?comments${whole}
listChanges   ${asked}( open)? ${changes}${whole}
decide        (?<verb>accept|approve|reject)(?<all>( (all|everything|every|each|the|of|them|open))*)( ${changes})?
suggest       ${suggest} (replac|chang|renam)(e|ing)? {target} (with|by|to|into|for|as|${arrow}) ?{new}
suggest       ${suggest} (delet|remov|cutt?|dropp?)(e|ing)? {target}
suggest       ${suggest} ({new} ${instead}|${quoted} for) {target}
resolve       (resolve|close)${thread}
reply         (reply|answer|respond)( to)?${thread}( saying |: ?| with (?=\uE000))(that )?{said}
comment       ${comment} ?(saying |that says |: ?)?${quoted} ${on} {passage}
comment       ${comment} ${on} (?<passage>[^:]+?) (saying|that says)( that)? {said}
comment       ${comment} ${on} {passage}:( ?{said})?
comment       ${comment}( here)?( (saying|that says|that) |: ?| (?=\uE000)){said}
unformat      (remove|take away|clear|delete) (the )?${format}s? (from|of|on) {target}
format        ${make} (?!an? \S+$){target} (into |as |to |in )?(an? )?${format}( block)?
format        (?<format>bold|italici[sz]e|underline|strike( through| out)?|cross out) {target}
link          (link|make|turn) {target} (into |to )?((be )?an? link to )?(?<plain>(https?://|mailto:)\S+)
highlight     highlight {passage}
help          ((help|\?|what can you do|who are you|how do you work|commands|hello|hi|hey)( .*)?)?
outline       ((give|show|tell) (me |us )?)?(an? |the )?(summari[sz]e|outline|summary|tl;?dr|overview)${whole}
outline       what( is|'s) (this|the)( document| text)? about
countWords    (how (many words|long)|word ?count|count (the )?words?)${whole}
find          (?<count>how (many times|often) (does|do|is)|count( the)?( occurrences of)?) {passage}( (occurs?|used))?
find          (find|search( for)?|look for|locate|where (is|are|does it say)|show me) (?!and ){passage}
dropSection   ${dropSection}section( (number|called|named|titled))? {plain}
dropSection   ${dropSection}(?!(this|that|next) ){plain} section
replace       (use|write|put) {new} ${instead} {target}
replace       (replace|change) {target} (with|by|to): {said}
replace       (replace|change|rename|fix|correct) {target} ?( with| by| to| into| as|${arrow}) ?{new}
replace       {target} ?${arrow} ?{new}
replace       ${drop} {target}
insert        ${verb}${noun}:? ${quoted}( (of )?level (?<deep>[1-6]))?( {place})?
insert        ${verb}${noun}( {place})?: {said}
undo          (undo|revert|take back)( (that|this|it|all|everything|your|the|last|changes?|edits?))*|take (that|it) back
unsaid        ${verb}( .*)?
`
  .trim()
  .split('\n')
  .map((line): [name: string, form: RegExp] => {
    const form = line.slice(14).replaceAll(/\{([a-z]+)\}/g, '(?<$1>.+?)')
    return [line.slice(0, 14).trim(), new RegExp(`^(?:${form})$`, 'i')]
  })

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
  const isBound = sentences.some((each) => binding.test(each.text) || parseSentence(each))
  if (last && !isBound && last.kind !== 'decide') return last
  return decline((texts) => texts.notUnderstood(readPlain(phrase.text, phrase)), phrase)
}

const binding =
  /\b(?:not|never|if|unless|don['’]t|nicht|kein\w*|nie|falls|wenn)\b|^(?:replace|change|make|turn|delete|remove|fix|add|insert|move|ersetze?|ändere?|mache?|lösche?|entferne?|füge?)\b/i

function parseSentence(phrase: Phrase): Command | undefined {
  const german = fromGerman(phrase)
  const spoken: Phrase = { ...phrase, language: german ? 'de' : phrase.language }
  if (german && 'unsure' in german) return decline(german.unsure, spoken)
  const { text } = german ?? phrase
  for (const [kind, form] of forms) {
    const match = form.exec(text)
    if (match) return toCommand(kind, (name) => match.groups?.[name]?.trim() ?? '', spoken)
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
  const plan = plans[kind]?.(parts) ?? { unsure: () => '' }
  return 'unsure' in plan ? decline(plan.unsure, phrase) : { ...parts, kind, plan, language: phrase.language }
}

function decline(unsure: Answer, phrase: Phrase): Command {
  return { kind: 'declined', unsure, plan: stop(declineText(unsure, phrase)), language: phrase.language }
}
