import { misspellings } from './misspellings.ts'
import type { Command, Rule } from './command.ts'
import { takePlace } from './parse-place.ts'
import { isSelection, pointAtSelection, readTerm, takeScope, toPhrase } from './phrases.ts'
import type { Phrase } from './phrases.ts'
import { formattingRules } from './rules-formatting.ts'
import { pointingRules } from './rules-pointing.ts'
import { reviewRules } from './rules-review.ts'
import { isStructural } from './targets.ts'

const rules: Rule[] = [
  ...reviewRules,
  ...pointingRules,
  [/^(?:help|\?|what can you do|who are you|how do you work|commands)\b/i, () => ({ kind: 'help' })],
  [/^(?:undo|take (?:it|that) back|revert)\b/i, () => ({ kind: 'undo' })],
  [
    /^(?:use|write|put) (.+?) (?:instead of|in place of|rather than) (.+)$/i,
    (part, phrase) => replacing(part(2), part(1), phrase),
  ],
  [/^substitute (.+?) for (.+)$/i, (part, phrase) => replacing(part(2), part(1), phrase)],
  ...formattingRules,
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

/** Parses an instruction; returns `unknown` if it isn't understood. Deterministic; `selection` is what "this" means. */
export function parseCommand(instruction: string, selection?: string): Command {
  const command = parseSentence(instruction, selection)
  if (command.kind !== 'unknown') return command
  // A request may come at the end of a paragraph on another subject.
  for (const sentence of instruction
    .split(/(?<=[.!?])\s+/)
    .slice(1)
    .toReversed()) {
    const last = parseSentence(sentence, selection)
    // A decision on all users' suggestions must be the whole request; it is never extracted from other text.
    if (last.kind !== 'unknown' && last.kind !== 'help' && last.kind !== 'decide') return last
  }
  return command
}

function parseSentence(instruction: string, selection?: string): Command {
  const phrase = toPhrase(instruction)
  const withSelection = selection ? pointAtSelection(phrase, selection) : phrase
  if (phrase.text === '') return { kind: 'help' }
  for (const [pattern, build] of rules) {
    const match = pattern.exec(withSelection.text)
    const command = match && build((index) => match[index]?.trim() ?? '', withSelection)
    if (command) return command
  }
  return { kind: 'unknown', said: readTerm(phrase.text, phrase) }
}

function replacing(rawFind: string, rawReplace: string, phrase: Phrase): Command | undefined {
  const inFind = takeScope(rawFind)
  const inReplace = takeScope(rawReplace)
  const find = readTerm(inFind.rest, phrase)
  const replace = readTerm(inReplace.rest, phrase)
  if (find === '') return undefined
  if (saysMore(inReplace.rest)) return { kind: 'unclear-scope', find, rest: readTerm(rawReplace, phrase) }
  if (isStructural(inFind.rest)) return { kind: 'unclear-target', target: find }
  if (isSelection(inFind.rest, phrase)) return { kind: 'replace-selection', find, replace }
  const occurrence = inFind.scope.occurrence === 'all' ? inReplace.scope.occurrence : inFind.scope.occurrence
  const block = inFind.scope.block ?? inReplace.scope.block
  const everywhere = inFind.scope.everywhere === true || inReplace.scope.everywhere === true
  return { kind: 'replace', find, replace, scope: { occurrence, block, everywhere }, anyCase: false }
}

/**
 * Whether the end of a command holds more than the text to write: a position, an exception, another command. Words that
 * can't be told from the text to write must not end up in the document.
 */
function saysMore(raw: string): boolean {
  const place =
    'paragraph|section|selection|sentence|heading|title|table|list|item|line|cell|row|column|block|chapter|introduction|intro|conclusion|abstract|footnote|code'
  return [
    /\b(?:except|but not|unless|only in|only where|apart from)\b/i,
    new RegExp(
      `\\b(?:in|of|from|inside|under) (?:the |this |that |every |each |my |our )?(?:[\\p{L}\\d]+ )?(?:${place})s?\\b`,
      'iu',
    ),
    /\band .+ (?:with|by|to|into) \S/i,
    /\uE001\s*\S/,
    /\b(?:in|from) (?:this|here|it)$/i,
  ].some((pattern) => pattern.test(raw))
}

function correcting(raw: string, phrase: Phrase): Command {
  const { rest, scope } = takeScope(raw)
  const word = readTerm(rest, phrase)
  const replace = misspellings.get(word.toLowerCase())
  if (replace === undefined) return { kind: 'ask-correction', word }
  const right = word === word.toLowerCase() ? replace : word.charAt(0) + replace.slice(1)
  if (isSelection(rest, phrase)) return { kind: 'replace-selection', find: word, replace: right }
  return { kind: 'replace', find: word, replace: right, scope, anyCase: true }
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
  // "add a summary at the top" asks for a new text, not for these words.
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
