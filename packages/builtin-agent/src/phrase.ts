import { quote } from './messages.ts'

// During parsing, quoted passages are replaced by characters of the private use area, so that words such as "with"
// inside of them don't count as syntax.
const opening = '\uE000'
const closing = '\uE001'
const placeholder = /\uE000(\d+)\uE001/g
const onlyPlaceholder = /^\uE000(\d+)\uE001$/

const quotePattern =
  /"([^"]*)"|“([^“”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|`([^`]+)`|‘([^‘’]+)’(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'([^']+(?:'\p{L}[^']*)*)'(?![\p{L}\p{N}])/gu

const noise = [
  // The rest of "@agent: …" after the mention is removed.
  /^[\s,:;.!–—-]+/,
  /^(?:dear|hey|hi|hello)\s*[,!:]\s*/i,
  /^(?:hey |hi |hello |dear )?@?agent\b[\s,:;.!-]*/i,
  /^(?:hey|hi|hello|ok|okay)[\s,!.]+/i,
  /^(?:can|could|would|will) you (?:please |kindly )?/i,
  /^(?:i(?:'d| would) like you to|i want you to|i need you to|let's|just|now|then) /i,
  /^(?:please|kindly|pls)[\s,:]+/i,
  /(?<![\s,])[\s,]+(?:please|pls|thanks?(?: you)?|thx|for me)$/i,
  /(?<=[^\s.!?;,])[.!?;,]+$/,
]

/**
 * A person's instruction without the mention, politeness and closing punctuation (`ending`), with its quotations
 * replaced by placeholders, and what the person has selected.
 */
export type Phrase = { text: string; ending: string; quotations: readonly string[]; selection: string | undefined }

/** Prepares an instruction for parsing. Supports quotation marks of many kinds, also around several lines. */
export function toPhrase(instruction: string, selection?: string): Phrase {
  const quotations: string[] = []
  let text = instruction.replaceAll(/[\uE000\uE001]/g, '').replaceAll(quotePattern, (_, ...groups: unknown[]) => {
    const inner = groups.slice(0, 7).find((group) => typeof group === 'string')
    return `${opening}${quotations.push(typeof inner === 'string' ? inner : '') - 1}${closing}`
  })
  text = text.replaceAll(/\s+/g, ' ').trim()
  for (let round = 0; round < 3; round++) for (const pattern of noise) text = text.replace(pattern, '').trim()
  const ending = /(?<=[^\s.!?;,])[.!?;,]+$/.exec(instruction.trim())?.[0] ?? ''
  return { text, ending, quotations, selection }
}

/** A term: exactly the text between the marks of a lone quotation; otherwise without the filler words around it. */
export function readTerm(raw: string, { quotations }: Phrase): string {
  const filler =
    /^(?:(?:the|a|an|this|that)\s+)?(?:words?|phrase|text|typo|string|sentence|term|paragraph|name)\s+(?=\S)/i
  return unquoted(raw.trim().replace(filler, ''), quotations)
}

/** A dictated text at the end of a command, verbatim, with its closing punctuation unless it was quoted. */
export function readDictated(raw: string, { text, ending, quotations }: Phrase): string {
  const isLast = raw !== '' && !raw.endsWith(closing) && text.endsWith(raw)
  return unquoted(raw, quotations) + (isLast ? ending : '')
}

function unquoted(text: string, quotations: readonly string[]): string {
  const alone = onlyPlaceholder.exec(text.trim())
  if (alone) return quotations[Number(alone[1])] ?? ''
  return text.replaceAll(placeholder, (_, index: string) => `"${quotations[Number(index)] ?? ''}"`).trim()
}

/** Which of several matches a command is about; `everywhere` if it says that all are meant. */
export type Scope = { occurrence: 'all' | 'first' | 'last'; everywhere?: boolean }

const which = '(?:(?:only|just) )?(?:the )?(first|last)(?: (?:one|occurrence|instance|time))?'
const scopePatterns = [
  /(?<![,\s])[,\s]+(?:everywhere|throughout(?: the (?:document|text|page))?|in (?:all places|the (?:whole|entire) (?:document|text))|each time|in (?:this|the) (?:document|text))$/i,
  new RegExp(`^${which}(?: of)? `, 'i'),
  new RegExp(`(?<![,\\s])[,\\s]+${which}(?: only)?$`, 'i'),
  /^(?:all|every|each)(?: (?:of )?(?:the )?(?:occurrences?|instances?))?(?: of)? /i,
]

/** Cuts "everywhere", "the first" and the like from a part of a command. */
export function takeScope(raw: string): { rest: string; scope: Scope } {
  const scope: Scope = { occurrence: 'all' }
  let rest = raw
  for (const pattern of scopePatterns) {
    const match = pattern.exec(rest)
    if (!match) continue
    rest = (rest.slice(0, match.index) + rest.slice(match.index + match[0].length)).trim()
    if (match[1] === undefined) scope.everywhere = true
    else scope.occurrence = match[1].toLowerCase() === 'last' ? 'last' : 'first'
  }
  return { rest, scope }
}

/** A text to find, or the person's selection (`find` is then its text as far as the prompt includes it). */
export type Target = { find: string; scope: Scope; isSelection: boolean }

const selectionWords =
  /^(?:this|it|(?:the|my) selection|the selected (?:text|words?|part|sentence|passage|paragraph)|what I(?: have|'ve)? selected)(?: (?:word|phrase|sentence|passage|part|bit))?$/i

/** A command that isn't carried out; the answer says what to say instead. */
export type Declined = { kind: 'declined'; answer: string }

/** The target of a command, as a text: "this" without a selection and "the last paragraph" are declined. */
export function readTarget(raw: string, phrase: Phrase, more?: Scope): Target | Declined {
  if (phrase.selection && selectionWords.test(raw))
    return { find: phrase.selection, scope: { occurrence: 'all' }, isSelection: true }
  const { rest, scope: own } = takeScope(raw)
  const find = readTerm(rest, phrase)
  if (find === '' || isStructural(rest)) return declineTarget(find)
  const occurrence = own.occurrence === 'all' ? (more?.occurrence ?? 'all') : own.occurrence
  const everywhere = own.everywhere === true || more?.everywhere === true
  return { find, scope: { occurrence, everywhere }, isSelection: false }
}

/** The answer to a command about a place that can't be found as a text. */
export function declineTarget(name: string): Declined {
  const answer = `I do not know which text ${quote(name)} is. Select it, or quote the words, for example: delete "these words"`
  return { kind: 'declined', answer }
}

/** Whether an unquoted part of a command names a position instead of a text: as text it would match other words. */
function isStructural(raw: string): boolean {
  return /^(?:the |this |that )?(?:(?:very )?(?:top|start|beginning|end|bottom)|(?:(?:whole|entire|first|second|third|last|next|selected) )?(?:blocks?|paragraphs?|sentences?|sections?|lines?|headings?|lists?|tables?|items?|everything|all|document|page|text|words?|it|this|that|selection|here)(?: \[?\d+\]?)?)$/i.test(
    raw.trim(),
  )
}

/** Where new text is inserted: at an end of the document, next to a text, or at the person's caret. */
export type Place =
  | { type: 'absolute'; location: 'start' | 'end' }
  | { type: 'relative'; anchor: string; placement: 'before' | 'after'; occurrence?: 'first' | 'last' }
  | { type: 'selection' }

const here =
  /^(.*?)(?<![,\s])[,\s]+(?:right )?(?:here|at (?:the|my) (?:cursor|caret|selection)|after (?:this|the selection|the selected text))$/i
const atAnEnd =
  /^(.*?)(?<![,\s])[,\s]*\b(?:at|to|on|in) (?:the )?(?:very )?(start|beginning|top|end|bottom)(?: of (?:the |this )?(?:document|page|text))?$/i
const nextToText = /^(.+?)(?<![,\s])[,\s]+(?:right |just |directly )?(before|above|after|below|under|behind) (.+)$/i

/** Cuts the insertion position from the end of a command; `fallback` if the command names none. */
export function takePlace(raw: string, phrase: Phrase, fallback: 'start' | 'end'): { rest: string; place: Place } {
  const [, atCaret] = here.exec(raw) ?? []
  if (atCaret) return { rest: atCaret, place: { type: 'selection' } }
  const [, before, end = ''] = atAnEnd.exec(raw) ?? []
  const location = /^(?:end|bottom)$/i.test(end) ? 'end' : 'start'
  if (before) return { rest: before, place: { type: 'absolute', location } }
  const [, text, side = '', at] = nextToText.exec(raw) ?? []
  if (!text || !at) return { rest: raw, place: { type: 'absolute', location: fallback } }
  const { rest, scope } = takeScope(at)
  const place = { type: 'relative' as const, anchor: readTerm(rest, phrase), placement: sideOf(side) }
  return { rest: text, place: scope.occurrence === 'all' ? place : { ...place, occurrence: scope.occurrence } }
}

function sideOf(word: string): 'before' | 'after' {
  return /^(?:before|above)$/i.test(word) ? 'before' : 'after'
}
