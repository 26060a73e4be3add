import { misspellings } from './misspellings.ts'
import { readTerm, takeScope, toPhrase } from './phrases.ts'
import type { Phrase, Scope } from './phrases.ts'

/** An inline format, with the markdown that makes it. */
export type InlineFormat = 'bold' | 'italic' | 'code' | 'strikethrough'

/** Where new text goes: an end of the document, or beside a text. */
export type Place =
  | { kind: 'absolute'; location: 'start' | 'end' }
  | { kind: 'relative'; anchor: string; placement: 'before' | 'after'; which: { occurrence?: 'first' | 'last' } }

/** A plain command as it was understood. `selected` stands for "this": what the person has selected. */
export type Command =
  /** `whole`: only where the text is all that its block holds. */
  | { kind: 'replace'; find: string; replace: string; scope: Scope; anyCase: boolean; whole?: boolean }
  | { kind: 'list'; text: string; content: string }
  | { kind: 'fix-all-typos' }
  | { kind: 'ask-correction'; word: string }
  | { kind: 'insert'; content: string; place: Place; as?: 'block' }
  | { kind: 'outline' }
  | { kind: 'count-words' }
  | { kind: 'find'; query: string; counting: boolean }
  | { kind: 'read'; from?: number; to?: number }
  | { kind: 'comment'; on: string; text: string }
  | { kind: 'undo' }
  | { kind: 'help' }
  /** "this" without a selection, or "the last paragraph": nothing that could be found as text. */
  | { kind: 'unclear-target'; target: string }
  | { kind: 'unclear-text'; content: string }
  /** More than one replacement, or a place that isn't understood. */
  | { kind: 'unclear-scope'; find: string; rest: string }
  | { kind: 'unknown'; said: string }

type Rule = [pattern: RegExp, build: (part: (index: number) => string, phrase: Phrase) => Command | undefined]

const formats: Record<string, InlineFormat> = {
  bold: 'bold',
  italic: 'italic',
  italics: 'italic',
  code: 'code',
  'inline code': 'code',
  strikethrough: 'strikethrough',
  'struck through': 'strikethrough',
  'strike through': 'strikethrough',
}
const formatNames = Object.keys(formats).join('|')
const fences: Record<InlineFormat, string> = { bold: '**', italic: '*', code: '`', strikethrough: '~~' }

const rules: Rule[] = [
  [/^(?:help|\?|what can you do|who are you|how do you work|commands)\b/i, () => ({ kind: 'help' })],
  [/^(?:undo|take (?:it|that) back|revert)\b/i, () => ({ kind: 'undo' })],
  [
    /^(?:use|write|put) (.+?) (?:instead of|in place of|rather than) (.+)$/i,
    (part, phrase) => replacing(part(2), part(1), phrase),
  ],
  [/^substitute (.+?) for (.+)$/i, (part, phrase) => replacing(part(2), part(1), phrase)],
  [
    new RegExp(`^(?:make|set|format|turn|mark|put) (.+?) (?:into |in |as )?(${formatNames})$`, 'i'),
    (part, phrase) => formatting(part(1), formats[part(2).toLowerCase()] ?? 'bold', phrase),
  ],
  [/^(?:embolden|bold) (.+)$/i, (part, phrase) => formatting(part(1), 'bold', phrase)],
  [/^(?:italici[sz]e) (.+)$/i, (part, phrase) => formatting(part(1), 'italic', phrase)],
  [/^(?:strike(?: ?through| out)?|cross out) (.+)$/i, (part, phrase) => formatting(part(1), 'strikethrough', phrase)],
  [
    /^(?:make|turn|format|set|convert|change) (.+?) (?:into |as |to |in )?(?:an? )?(?:h([1-6])|(title|(?:sub)?heading)(?: ?(?:of )?(?:level )?([1-6]))?)$/i,
    (part, phrase) => {
      const level = Number(part(2) || part(4)) || (/^title$/i.test(part(3)) ? 1 : /^sub/i.test(part(3)) ? 3 : 2)
      return heading(part(1), level, phrase)
    },
  ],
  [
    /^(?:make|turn|format|convert|change) (.+?) (?:into |as |to )?(?:an? )?(bullet(?:ed|s)? |numbered |ordered |task |check)?list$/i,
    (part, phrase) => listing(part(1), part(2), phrase),
  ],
  [
    /^(?:replace|swap|exchange|substitute) (.+?) (?:with|by|for|to|->|→|=>) ?(.+)$/i,
    (part, phrase) => replacing(part(1), part(2), phrase),
  ],
  [
    /^(?:fix|correct) (?:the |a )?(?:typos?|spelling|misspelling)(?: mistakes?| errors?)?(?: of| in)?(?: the (?:document|text)| everywhere| here)?$/i,
    () => ({ kind: 'fix-all-typos' }),
  ],
  [
    /^(?:change|rename|fix|correct|turn) (?:the (?:typo|spelling|misspelling|word)s?(?: of)? )?(.+?) ?(?: to| into| with| as|->|→|=>) ?(.+)$/i,
    (part, phrase) => replacing(part(1), part(2), phrase),
  ],
  [/^(.+?) ?(?:->|→|=>) ?(.+)$/, (part, phrase) => replacing(part(1), part(2), phrase)],
  [
    /^(?:fix|correct) (?:the )?(?:typos?|spelling|misspellings?|(?:misspelled )?words?)?(?: of| in)? ?(.+)$/i,
    (part, phrase) => correcting(part(1), phrase),
  ],
  [
    /^(?:delete|remove|erase|drop|cut out|cut|get rid of|take out) (.+)$/i,
    (part, phrase) => replacing(part(1), '', phrase),
  ],
  [
    /^(?:leave |make |put |write |add )?(?:an? )?comment (?:on|at|about) (.+?)(?: ?(?:saying|that says|with|:) ?(?:that )?(.+))?$/i,
    (part, phrase) => ({ kind: 'comment', on: readTerm(part(1), phrase), text: readTerm(part(2), phrase) }),
  ],
  [
    /^(?:add|insert|write|put|create) (?:an? |the )?(title|(?:sub)?heading|h[1-6])(?: (?:level|of level) ([1-6]))?(?: called| named| saying|:)? (.+)$/i,
    (part, phrase) => addingHeading(part(1), part(2), part(3), phrase),
  ],
  [/^append (.+)$/i, (part, phrase) => inserting(part(1), phrase, 'end')],
  [/^prepend (.+)$/i, (part, phrase) => inserting(part(1), phrase, 'start')],
  [/^(?:add|insert|write|put|type|paste) (.+)$/i, (part, phrase) => inserting(part(1), phrase)],
  [
    /^(?:summari[sz]e|outline|tl;?dr|overview)\b|^(?:give|show|tell) (?:me |us )?(?:an? |the )?(?:outline|summary|overview)/i,
    () => ({ kind: 'outline' }),
  ],
  [/^(?:what is|what's) (?:this|the) (?:document|text|page)? ?about/i, () => ({ kind: 'outline' })],
  [
    /^(?:how (?:many times|often) (?:does|do|is|has)|count(?: the)?(?: occurrences of| how often)?) (.+?)(?: (?:occurs?|appears?|used|come up|there))?$/i,
    (part, phrase) => counting(part(1), phrase),
  ],
  [/^how (?:many words|long)\b|^word ?count\b/i, () => ({ kind: 'count-words' })],
  [
    /^(?:read|show)(?: me)? (?:block|paragraph|line)s? \[?(\d+)\]?(?: ?(?:to|-|–|until) ?\[?(\d+)\]?)?$/i,
    (part) => reading(part(1), part(2)),
  ],
  [
    /^(?:read|show)(?: me)?(?: (?:the|this|whole|entire))*(?: (?:document|text|page|it|all))?$/i,
    () => ({ kind: 'read' }),
  ],
  [
    /^(?:find|search(?: for)?|look for|locate|where (?:is|are|does it say)|show me|read) (.+)$/i,
    (part, phrase) => ({ kind: 'find', query: readTerm(part(1), phrase), counting: false }),
  ],
]

/** Understands an instruction, or says `unknown`. Deterministic; `selection` is what "this" means. */
export function parseCommand(instruction: string, selection?: string): Command {
  const command = parseSentence(instruction, selection)
  if (command.kind !== 'unknown') return command
  // A request may stand at the end of a paragraph that is about something else.
  for (const sentence of instruction
    .split(/(?<=[.!?])\s+/)
    .slice(1)
    .toReversed()) {
    const last = parseSentence(sentence, selection)
    if (last.kind !== 'unknown' && last.kind !== 'help') return last
  }
  return command
}

function parseSentence(instruction: string, selection?: string): Command {
  const phrase = toPhrase(instruction)
  const withSelection = selection
    ? { ...phrase, quotations: [...phrase.quotations, selection], text: pointAtSelection(phrase) }
    : phrase
  if (phrase.text === '') return { kind: 'help' }
  for (const [pattern, build] of rules) {
    const match = pattern.exec(withSelection.text)
    const command = match && build((index) => match[index]?.trim() ?? '', withSelection)
    if (command) return command
  }
  return { kind: 'unknown', said: readTerm(phrase.text, phrase) }
}

// "make this bold" with a selection becomes the same as naming the selected text.
function pointAtSelection({ text, quotations }: Phrase): string {
  return text.replace(
    /^([a-z]+(?: (?:the )?(?:typo|spelling|on))?) (?:this|the selection|the selected text|it)(?= |$)(?! (?:document|text|page)\b)/i,
    (_, verb: string) => `${verb} \uE000${quotations.length}\uE001`,
  )
}

function replacing(rawFind: string, rawReplace: string, phrase: Phrase): Command | undefined {
  const inFind = takeScope(rawFind)
  const inReplace = takeScope(rawReplace)
  const find = readTerm(inFind.rest, phrase)
  const replace = readTerm(inReplace.rest, phrase)
  if (find === '') return undefined
  if (saysMore(inReplace.rest)) return { kind: 'unclear-scope', find, rest: readTerm(rawReplace, phrase) }
  if (isStructural(inFind.rest)) return { kind: 'unclear-target', target: find }
  const occurrence = inFind.scope.occurrence === 'all' ? inReplace.scope.occurrence : inFind.scope.occurrence
  const block = inFind.scope.block ?? inReplace.scope.block
  return { kind: 'replace', find, replace, scope: { occurrence, block }, anyCase: false }
}

/**
 * Whether the end of a command says more than what to write: a place, an exception, another command. What can't be told
 * from the text to write must not end up in the document.
 */
function saysMore(raw: string): boolean {
  const place =
    'paragraph|section|sentence|heading|title|table|list|item|line|cell|row|column|block|chapter|introduction|intro|conclusion|abstract|footnote|code'
  return [
    /\b(?:except|but not|unless|only in|only where|apart from)\b/i,
    new RegExp(
      `\\b(?:in|of|from|inside|under) (?:the |this |that |every |each |my |our )?(?:[\\p{L}\\d]+ )?(?:${place})s?\\b`,
      'iu',
    ),
    /\band .+ (?:with|by|to|into) \S/i,
    /\uE001\s*\S/,
  ].some((pattern) => pattern.test(raw))
}

function correcting(raw: string, phrase: Phrase): Command {
  const { rest, scope } = takeScope(raw)
  const word = readTerm(rest, phrase)
  const replace = misspellings.get(word.toLowerCase())
  if (replace === undefined) return { kind: 'ask-correction', word }
  return {
    kind: 'replace',
    find: word,
    replace: word === word.toLowerCase() ? replace : word.charAt(0) + replace.slice(1),
    scope,
    anyCase: true,
  }
}

function formatting(raw: string, format: InlineFormat, phrase: Phrase): Command | undefined {
  return wrapping(raw, phrase, (text) => `${fences[format]}${text}${fences[format]}`)
}

function wrapping(raw: string, phrase: Phrase, wrap: (text: string) => string): Command | undefined {
  const { rest, scope } = takeScope(raw)
  const find = readTerm(rest, phrase)
  if (isStructural(rest)) return { kind: 'unclear-target', target: find }
  return find === '' ? undefined : { kind: 'replace', find, replace: wrap(find), scope, anyCase: false }
}

// Unquoted, these name a place and not a text: taken literally they would change some other word.
function isStructural(raw: string): boolean {
  return /^(?:the |this |that )?(?:(?:whole|entire|first|last|next|selected) )?(?:blocks?|paragraphs?|sentences?|sections?|lines?|headings?|lists?|tables?|items?|everything|all|document|page|text|words?|it|this|that|selection|here)(?: \[?\d+\]?)?$/i.test(
    raw.trim(),
  )
}

function heading(raw: string, level: number, phrase: Phrase): Command | undefined {
  const command = wrapping(raw, phrase, (text) => `${'#'.repeat(level)} ${text}`)
  return command?.kind === 'replace' ? { ...command, whole: true } : command
}

function listing(raw: string, kind: string, phrase: Phrase): Command | undefined {
  const text = readTerm(raw, phrase)
  if (isStructural(raw)) return { kind: 'unclear-target', target: text }
  return text === '' ? undefined : { kind: 'list', text, content: toList(text, kind) }
}

function toList(text: string, kind: string): string {
  const items = text.split(/\n|(?:,\s*(?:and )?)/).map((item) => item.trim())
  const bullet = (index: number): string => {
    if (/^(?:numbered|ordered)/i.test(kind)) return `${index + 1}.`
    return /^(?:task|check)/i.test(kind) ? '- [ ]' : '-'
  }
  return items
    .filter((item) => item !== '')
    .map((item, index) => `${bullet(index)} ${item}`)
    .join('\n')
}

function takePlace(raw: string, phrase: Phrase, fallback: 'start' | 'end'): { rest: string; place: Place } {
  const absolute =
    /^(.*?)[,\s]*\b(?:at|to|on|in) (?:the )?(?:very )?(start|beginning|top|end|bottom)(?: of (?:the |this )?(?:document|page|text))?$/i.exec(
      raw,
    )
  if (absolute?.[1]) {
    const location = /^(?:end|bottom)$/i.test(absolute[2] ?? '') ? 'end' : 'start'
    return { rest: absolute[1], place: { kind: 'absolute', location } }
  }
  const relative = /^(.+?)[,\s]+(?:right |just |directly )?(before|above|after|below|under|behind) (.+)$/i.exec(raw)
  if (relative?.[1] && relative[3]) {
    const placement = /^(?:before|above)$/i.test(relative[2] ?? '') ? 'before' : 'after'
    const { rest: anchor, scope } = takeScope(relative[3])
    const which = scope.occurrence === 'all' ? {} : { occurrence: scope.occurrence }
    return { rest: relative[1], place: { kind: 'relative', anchor: readTerm(anchor, phrase), placement, which } }
  }
  return { rest: raw, place: { kind: 'absolute', location: fallback } }
}

function inserting(raw: string, phrase: Phrase, fallback?: 'start' | 'end'): Command | undefined {
  const { rest, place } = takePlace(raw, phrase, fallback ?? 'end')
  const isDictated =
    fallback !== undefined || rest !== raw || /^[^:]*\b(?:saying|that says|with|item|bullet)\b|:/i.test(rest)
  const bare = rest.replace(
    /^(?:an? |the )?(?:new )?(paragraph|line|sentence|(?:list )?item|bullet)s?(?: (?:saying|that says|with))?:? /i,
    '$1 ',
  )
  const isItem = /^(?:list item|item|bullet) /i.test(bare)
  const rawContent = bare.replace(/^(?:paragraph|line|sentence|list item|item|bullet) /i, '')
  const content = readTerm(rawContent, phrase)
  if (content === '') return undefined
  // "add a summary at the top" asks for a text to be written, not for these words.
  const isQuoted = rawContent.trim().startsWith('\uE000')
  if (!isQuoted && (!isDictated || /^(?:an?|some|another|more|something) /i.test(rawContent)))
    return { kind: 'unclear-text', content }
  return {
    kind: 'insert',
    content: isItem ? `- ${content}` : content,
    place,
    ...(place.kind === 'absolute' ? { as: 'block' as const } : {}),
  }
}

function addingHeading(kind: string, level: string, raw: string, phrase: Phrase): Command | undefined {
  const { rest, place } = takePlace(raw, phrase, 'end')
  const after = /^(.+?) (?:level|of level) ([1-6])$/i.exec(rest)
  const text = readTerm(after?.[1] ?? rest, phrase)
  const byKind = /^title$/i.test(kind) ? 1 : /^sub/i.test(kind) ? 3 : Number(/^h([1-6])$/i.exec(kind)?.[1] ?? 2)
  const depth = Number(level || after?.[2]) || byKind
  return text === '' ? undefined : { kind: 'insert', content: `${'#'.repeat(depth)} ${text}`, place, as: 'block' }
}

function counting(raw: string, phrase: Phrase): Command {
  if (/^(?:the )?words?$/i.test(raw) || /^words? (?:are|in)\b/i.test(raw)) return { kind: 'count-words' }
  return { kind: 'find', query: readTerm(raw, phrase), counting: true }
}

function reading(from: string, to: string): Command {
  return { kind: 'read', from: Number(from), to: Number(to || from) }
}
