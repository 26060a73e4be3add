import type { Answer } from './language/texts.ts'
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

/** Why a part of a command isn't sure, as a sentence for people: the command is then declined. */
export type Unsure = { unsure: Answer }

const which = '(?:only )?(?:the )?(?<which>first|last)(?: (?:one|occurrence|instance|time))?'
const scopes = [
  /(?<![,\s])[,\s]+(?:everywhere|throughout|globally|in (?:this|the)(?: (?:whole|entire))? (?:document|text))$/i,
  new RegExp(`^${which}(?: of)? `, 'i'),
  /^(?:all|every|each)(?: (?:of )?(?:the )?(?:occurrences?|instances?))?(?: of)? /i,
]

// Cuts "everywhere", "the first" and the like from a part of a command.
function takeScope(raw: string): { rest: string; scope: Scope } {
  const scope: Scope = { occurrence: 'all' }
  let rest = raw
  for (const pattern of scopes) {
    const match = pattern.exec(rest)
    if (!match) continue
    rest = (rest.slice(0, match.index) + rest.slice(match.index + match[0].length)).trim()
    const said = match.groups?.['which']?.toLowerCase()
    if (said === undefined) scope.everywhere = true
    else scope.occurrence = said === 'last' ? 'last' : 'first'
  }
  return { rest, scope }
}

// What parts of a text, kinds of words and formats are called: such words describe a text or a place.
const kinds =
  'word|phrase|sentence|paragraph|line|block|section|chapter|part|passage|bit|(?:sub)?title|(?:sub)?heading|headline|' +
  'list|item|bullet|entry|entries|table|row|column|cell|page|document|text|introduction|intro|conclusion|summary|' +
  'point|footnote|caption|image|picture|link|url|quote|quotation|code|formula|comment|suggestion|change|edit|typo|' +
  'mistake|error|example|name|idea|number|date|verb|noun|adjective|adverb|synonym|comma|period|hyphen|dash|dashes|' +
  'bracket|space|letter|character|thing|stuff|occurrence|selection|cursor|start|beginning|end|rest|content|version|' +
  'bold|italic|strikethrough|underlined?|highlight|formatting|punctuation|term|keyword|duplicate|uppercase|lowercase|' +
  'capital|plural|singular|tense|english|german|french|spanish'
const described = new RegExp(`(?:^|[\\s-])(?:${kinds})s?(?: \\[?\\d+\\]?)?$| ones?$`, 'i')
// Words that point at something, and words that determine or join others.
const pointing =
  'the|it|them|this|that|these|those|my|all|every\\w*|each|any\\w*|some\\w*|both|nothing|here|there|top|bottom'
const joining =
  'an?|your|our|his|her|their|its|another|other|most|many|several|few|no|what\\w*|which|two|three|four|five|and|or|' +
  'but|except|unless|only|if|when|where|who|in|on|at|from|before|after|above|below|under|behind|between|until|with|' +
  'without|instead|like|so|not|because|about|for|as|once|twice|again|too|also|now|asap|maybe|please'
const pronoun = new RegExp(`^(?:${pointing})$`, 'i')
const small = `(?:${pointing}|${joining})`
const composed = new RegExp(`^${small} | ${small}(?: |$)|[,;:](?:\\s|$)|[.!?]\\s|->|→|=>`, 'i')

// Unquoted words are a text only if they can't be a description, a list, a second command. `isPassage`: the text stays
// as it is, and may hold any words if it describes no place.
function isSure(raw: string, isPassage = false): boolean {
  if (raw === '' || raw.includes('\uE000')) return false
  if (isPassage) return !described.test(raw) || !(composed.test(raw) || /\d\]?$/.test(raw))
  return !described.test(raw) && !composed.test(raw)
}

const selected = /^(?:|this|it|(?:the|my) selection|(?:this|the selected) (?:text|words?|sentence|passage|paragraph))$/i
const label = /^(?:(?:the|an?|this|that) )?(?:(?:words?|phrase|typo) (?=\S)|(?:text|sentence|name) (?=\uE000))/i

/** The text that a command is about, by default the selection; unsure if the words may describe it. */
export function readTarget(raw: string, phrase: Phrase, isPassage = false): Target | Unsure {
  const { selection = '' } = phrase
  if (raw === '' || (selection !== '' && selected.test(raw)))
    return { find: selection, scope: { occurrence: 'all' }, isSelection: true, isQuoted: true }
  const { rest, scope } = takeScope(raw)
  const words = rest.replace(label, '')
  const quoted = readQuoted(words, phrase)
  if (quoted === '' || (quoted === undefined && (pronoun.test(words) || !isSure(words, isPassage))))
    return { unsure: (texts) => texts.whichText(readPlain(raw, phrase)) }
  return { find: quoted ?? words, scope, isSelection: false, isQuoted: quoted !== undefined }
}

/** A text to write in place of another, and the places that it says; unsure if the words may say more than that. */
export function readReplacement(raw: string, phrase: Phrase): { text: string; scope: Scope } | Unsure {
  const { rest, scope } = takeScope(raw)
  const text = readQuoted(rest, phrase) ?? (raw === '' || isSure(rest) ? rest : undefined)
  if (text !== undefined) return { text, scope }
  return { unsure: (texts) => texts.whatToWrite(readPlain(raw, phrase)) }
}

const atCaret = /^(?:right )?(?:here|at (?:the|my) (?:cursor|caret|selection)|after (?:this|the selection))$/i
const atAnEnd =
  /^(?:at|to|on|in) (?:the )?(?:(start|beginning|top)|end|bottom)(?: of (?:the |this )?(?:document|page|text))?$/i
const nextToText = /^(?:right |just |directly )?(?:(before|above)|after|below|under|behind) (.+)$/i

/** The place that a part of a command names, undefined for ''. */
export function readPlace(raw: string, phrase: Phrase): Place | Unsure | undefined {
  if (raw === '') return undefined
  if (atCaret.test(raw)) return { type: 'selection' }
  const end = atAnEnd.exec(raw)
  if (end) return { type: 'absolute', location: end[1] === undefined ? 'end' : 'start' }
  const [, before, at] = nextToText.exec(raw) ?? []
  if (at === undefined) return { unsure: (texts) => texts.whichPlace(readPlain(raw, phrase)) }
  const target = readTarget(at, { ...phrase, selection: undefined })
  if ('unsure' in target) return target
  const { occurrence } = target.scope
  const place = { type: 'relative', anchor: target.find, placement: before === undefined ? 'after' : 'before' } as const
  return occurrence === 'all' ? place : { ...place, occurrence }
}
