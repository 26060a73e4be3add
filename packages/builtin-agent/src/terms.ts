import { type Answer, say } from './language/answers.ts'
import { compile, inEach, type Language } from './language/language.ts'
import { type Phrase, readPlain, readQuoted } from './phrase.ts'

/** Which of several matches a command is about; `everywhere` if it says that all are meant. */
export type Scope = { occurrence: 'all' | 'first' | 'last'; everywhere?: boolean }

/** A text to find, or the person's selection (`find` is then its text as far as the prompt includes it). */
export type Target = { find: string; scope: Scope; isSelection: boolean; isQuoted: boolean }

/** Where new text is inserted: at an end of the document, next to a text, or at the person's caret. */
export type Place =
  | { type: 'absolute'; location: 'start' | 'end' }
  | { type: 'relative'; anchor: string; placement: 'before' | 'after'; occurrence?: 'first' | 'last' }
  | { type: 'selection' }

/** A phrase with the language of its command. */
export type LocalizedPhrase = Phrase & { spoken: Language }

const terms = inEach((data) => {
  const compiled = Object.entries(data.terms).map(([name, pattern]) => [name, compile(pattern, data)])
  return Object.fromEntries(compiled) as Record<keyof typeof data.terms, RegExp>
})

// Cuts "everywhere", "the first" and the like from a part of a command.
function extractScope(raw: string, spoken: Language): { rest: string; scope: Scope } {
  const scope: Scope = { occurrence: 'all' }
  let rest = raw
  for (const name of ['everywhere', 'which', 'each'] as const) {
    const match = terms[spoken][name].exec(rest)
    if (!match) continue
    rest = (rest.slice(0, match.index) + rest.slice(match.index + match[0].length)).trim()
    if (name === 'which') scope.occurrence = match.groups?.['last'] === undefined ? 'first' : 'last'
    else scope.everywhere = true
  }
  return { rest, scope }
}

// Unquoted words are a text only if they can't be a description, a list, a second command. `isPassage`: the text stays
// as it is, and may hold any words if it describes no place.
function isUnambiguous(raw: string, spoken: Language, isPassage = false): boolean {
  const [isDescribed, isComposed] = [terms[spoken].described.test(raw), terms[spoken].composed.test(raw)]
  if (raw === '' || raw.includes('\uE000')) return false
  if (isPassage && spoken === 'en') return !isDescribed || !(isComposed || /\d\]?$/.test(raw))
  return !isDescribed && !isComposed
}

/** The text that a command is about, by default the selection; an answer that says why if the words may describe it. */
export function readTarget(raw: string, phrase: LocalizedPhrase, isPassage = false): Target | Answer {
  const { selection = '', spoken } = phrase
  const { selected, label, pointing } = terms[spoken]
  if (raw === '' || (selection !== '' && selected.test(raw)))
    return { find: selection, scope: { occurrence: 'all' }, isSelection: true, isQuoted: true }
  const { rest, scope } = extractScope(raw, spoken)
  const words = rest.replace(label, '')
  const quoted = readQuoted(words, phrase)
  if (quoted === '' || (quoted === undefined && (pointing.test(words) || !isUnambiguous(words, spoken, isPassage))))
    return say('I do not know which text “{said}” is: select it, or quote its words.', { said: readPlain(raw, phrase) })
  return { find: quoted ?? words, scope, isSelection: false, isQuoted: quoted !== undefined }
}

/** A text to write in place of another, and the places that it says; an answer if the words may say more than that. */
export function readReplacement(raw: string, phrase: LocalizedPhrase): { text: string; scope: Scope } | Answer {
  const { rest, scope } = extractScope(raw, phrase.spoken)
  const text = readQuoted(rest, phrase) ?? (raw === '' || isUnambiguous(rest, phrase.spoken) ? rest : undefined)
  const said = readPlain(raw, phrase)
  if (text === undefined)
    return say('I am not sure what to write: “{said}” says more than that, or is no text.', { said })
  return { text, scope }
}

/** The place that a part of a command names, undefined for ''. */
export function readPlace(raw: string, phrase: LocalizedPhrase): Place | Answer | undefined {
  const { atCaret, atAnEnd, nextTo } = terms[phrase.spoken]
  if (raw === '') return undefined
  if (atCaret.test(raw)) return { type: 'selection' }
  const end = atAnEnd.exec(raw)
  if (end) return { type: 'absolute', location: end.groups?.['start'] === undefined ? 'end' : 'start' }
  const { text, before } = nextTo.exec(raw)?.groups ?? {}
  if (text === undefined) return say('I do not know the place “{said}”.', { said: readPlain(raw, phrase) })
  const target = readTarget(text, { ...phrase, selection: undefined })
  if (typeof target === 'function') return target
  const { occurrence } = target.scope
  const place = { type: 'relative', anchor: target.find, placement: before === undefined ? 'after' : 'before' } as const
  return occurrence === 'all' ? place : { ...place, occurrence }
}
