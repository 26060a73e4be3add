import { misspellings } from './misspellings.ts'
import { builtinSetupHint, quote } from './messages.ts'
import type { Declined, Phrase, Place, Scope, Target } from './phrase.ts'
import { declineTarget, readDictated, readTarget, readTerm, takePlace, takeScope, toPhrase } from './phrase.ts'

/** A format of text or of whole blocks, in the terms of `apply_formatting`; `name` is its everyday name. */
export type Format = { type: string; name: string; level?: number; href?: string }

/** A parsed command. */
export type Command =
  | { kind: 'replace'; find: string; replace: string; scope: Scope; anyCase?: boolean }
  | { kind: 'replace-selection'; find: string; replace: string }
  | { kind: 'format'; target: Target; format: Format; remove: boolean }
  | { kind: 'list'; text: string; content: string }
  | { kind: 'insert'; content: string; place: Place; as?: 'block' }
  | { kind: 'delete-section'; section: { title: string } | { index: number } }
  | { kind: 'comment'; target: Target | undefined; text: string }
  | { kind: 'list-comments'; resolved?: boolean }
  | { kind: 'resolve-comments'; on: string | undefined; all: boolean }
  | { kind: 'reply'; on: string | undefined; text: string }
  | { kind: 'suggest'; target: Target; replace: string }
  | { kind: 'suggest-insertion'; text: string; anchor: string; placement: 'before' | 'after' }
  | { kind: 'decide'; decision: 'accept' | 'reject' }
  | { kind: 'highlight'; target: Target; color: string | undefined }
  | { kind: 'point'; target: Target; select: boolean }
  | { kind: 'find'; query: string; counting: boolean }
  | { kind: 'fix-all-typos' | 'list-changes' | 'outline' | 'count-words' | 'read' }
  | { kind: 'help'; said?: string }
  | Declined

const state = '(open|unresolved|resolved)'
const ask = '(what|which|are there|show|list|read|summari[sz]e|give|tell|see)\\b( (me|us|are|is|the|all|any|of|about))*'
const changes = '(suggestions?|suggested changes?|tracked changes?|changes?|suggested edits?|edits?)'
const suggest = '(suggest|propose|recommend)( that (we|you)| to)?'
const comment = '((leave|make|put|write|add) )?(an? |the )?comment'
const commentOn = `${comment} (on|at|about|to|for|beside|next to)`
const drop = '(delete|remove|erase|drop|cut out|cut|get rid of|take out)'
const make = '(make|turn|set|format|convert|change)'
const as = '(into |as |to |in )?(an? )?'
const quoted = '\uE000\\d+\uE001'
const format =
  '(?<format>bold|italics?|(inline )?code|strikethrough|struck through|underlined?|highlighted|(block)?quote|code block|(normal )?paragraph|normal text)'

/**
 * What is understood; the first match counts. Each line is a builder and the form of a sentence, in which `{x}` is a
 * part of any length named x and everything else a regular expression.
 */
const grammar = `
listComments   (${ask}( (?<a>${state}))?|any( (?<b>${state}))?|(?<c>${state})) comments?\\b(?! (to|on|about) \uE000)(.*\\b(?<d>${state}))?.*
listComments   comments
listChanges    (${ask}( open)?|any) ${changes}( (are|is) (there|here|open))*( (in|of|on) (this|the) (document|text|page))?
decide         (?<verb>accept|approve|reject|decline)( ((all|every|each|the|of|open|my|your|these|those)( |$))*)((all|everything|them( all)?|${changes})( (in|of) (this|the) (document|text|page))?)?
suggest        ${suggest} (replac|chang|swapp?|renam|turn|rephras|reword|correct)(e|ing)? {old} (with|by|to|into|for|as|->|→|=>) ?{new}
suggest        ${suggest} (delet|remov|cutt?|dropp?)(e|ing)? {old}
suggestInsert  ${suggest} (add|insert)(ing)? {x}
suggest        ${suggest} {new} (instead of|in place of|rather than|for) {old}
resolve        (resolve|close)( (?<all>all|every))?( (of|the|open|these|those))* (?<noun>comments?|threads?)( (on|about) {x})?
reply          (reply|answer|respond)( to)?( (the|this))? (comment|thread)( (on|about) {x})?( (saying|with) |: ?)(that )?{text}
comment        ${comment} ?(saying |that says |: ?)?(?<text>${quoted}) (on|at|about|to|for) {x}
comment        ${commentOn} (?<x>[^:]+?) (saying|that says)( that)? {text}
comment        ${commentOn} {x}: ?{text}
comment        ${commentOn} (?<x>[^:]+?) with {text}
comment        ${commentOn} {x}:?
comment        ${comment}( here)?( (saying|that says|that) {said}|: ?{text}| (?<quoted>${quoted}))?
unformat       (remove|clear|delete|take away) (the )?(?<format>highlight)(ing)?s? (from|on|of) {x}
format         (?<format>highlight) {x} (permanently|for good|in the text)
highlight      highlight {x}( (in|with) (?<color>yellow|green|blue|pink|orange))?
point          ((scroll|go|jump|navigate)( (down|up|back))? to|(take|bring) me to|(?<select>select)) {x}
dropSection    ${drop} (the )?(whole |entire )?((?<ordinal>first|second|third|fourth|fifth|last) )?section( (called|named|titled|about|on|number))?( {name})?
dropSection    ${drop} (the )?(whole |entire )?(?!(this|that|next) section){name} section
help           (help|\\?|what can you do|who are you|how do you work|commands)\\b.*
undo           (undo|take (it|that) back|revert)\\b.*
replace        (use|write|put) {new} (instead of|in place of|rather than) {old}
unformat       ${make} {x} (not|no longer) ${format}
format         ${make} {x} ${as}${format}
format         (em)?(?<format>bold)(en)? {x}
format         (?<format>italici[sz]e|underline|strike( ?through| out)?|cross out) {x}
unformat       (remove|take away|clear) (the )?${format}( formatting)? (from|of|on) {x}
link           (link|make|turn) {x} (into |to )?((be )?an? link to )?(?<href>(https?://|mailto:)\\S+)
heading        ${make} {x} ${as}(?<noun>title|(sub)?heading)( ?(of )?(level )?(?<level>[1-6]))?
list           ${make} {x} ${as}((?<type>bullet(ed|s)?|numbered|ordered|task|check) ?)?list
replace        (replace|swap|exchange) {old} (with|by|for|to|->|→|=>) ?{new}
fixTypos       (fix|correct) (the |a )?(typos?|spelling|misspelling)( mistakes?| errors?)?( of| in)?( the (document|text)| everywhere| here)?
replace        (change|rename|fix|correct|turn) (the (typo|spelling|misspelling|word)s?( of)? )?{old} ?( to| into| with| as|->|→|=>) ?{new}
replace        {old} ?(->|→|=>) ?{new}
correct        (fix|correct) (the )?(typos?|spelling|misspellings?|(misspelled )?words?)?( of| in)? ?{x}
replace        ${drop} {old}
addHeading     (add|insert|write|put|create) (an? |the )?(?<noun>title|(sub)?heading)( (of )?level (?<level>[1-6]))?( called| named| saying|:)? {x}
insert         (?<end>append|prepend|add|insert|write|put|type|paste) {x}
outline        ((summari[sz]e|outline|tl;?dr|overview)\\b|(give|show|tell) (me |us )?(an? |the )?(outline|summary|overview)|what( is|'s) (this|the) (document|text|page)? ?about).*
countWords     (how (many words|long)\\b|word ?count\\b|count (the )?words?\\b).*
find           (?<count>how (many times|often) (does|do|is|has)|count( the)?( occurrences of| how often)?) {x}( (occurs?|appears?|used|come up|there))?
read           (read|show)( me)?( (the|this|whole|entire))*( (document|text|page|it|all))?
find           (find|search( for)?|look for|locate|where (is|are|does it say)|show me) {x}`

/** Makes a command of the named parts of a sentence ('' if one is missing); undefined if it has another meaning. */
type Build = (part: (name: string) => string, phrase: Phrase) => Command | undefined

const builders: Record<string, Build> = {
  replace(part, phrase) {
    const { rest, scope } = takeScope(part('new'))
    const target = readTarget(part('old'), phrase, scope)
    if ('kind' in target) return target
    if (saysMore(rest)) return declineScope(target.find, readTerm(part('new'), phrase))
    const texts = { find: target.find, replace: readTerm(rest, phrase) }
    if (target.isSelection) return { kind: 'replace-selection', ...texts }
    return { kind: 'replace', ...texts, scope: target.scope }
  },
  correct(part, phrase) {
    const target = readTarget(part('x'), phrase)
    if ('kind' in target) return target
    const { find, scope, isSelection } = target
    const known = misspellings.get(find.toLowerCase())
    const answer = `I do not know what ${quote(find)} should be. Say: change ${find} to …`
    if (known === undefined) return { kind: 'declined', answer }
    const replace = find === find.toLowerCase() ? known : find.charAt(0) + known.slice(1)
    if (isSelection) return { kind: 'replace-selection', find, replace }
    return { kind: 'replace', find, replace, scope, anyCase: true }
  },
  fixTypos: () => ({ kind: 'fix-all-typos' }),
  format: (part, phrase) => formatting(part('x'), formatOf(part('format')), phrase),
  unformat: (part, phrase) => formatting(part('x'), formatOf(part('format')), phrase, true),
  link: (part, phrase) => formatting(part('x'), { type: 'link', name: 'a link', href: part('href') }, phrase),
  heading(part, phrase) {
    const level = levelOf(part('level'), part('noun'))
    return formatting(part('x'), { type: 'heading', name: 'a heading', level }, phrase)
  },
  list: (part, phrase) => listing(part('x'), part('type'), phrase),
  insert(part, phrase) {
    const fallback = /^append$/i.test(part('end')) ? 'end' : /^prepend$/i.test(part('end')) ? 'start' : undefined
    return inserting(part('x'), phrase, fallback)
  },
  addHeading(part, phrase) {
    const { rest, place } = takePlace(part('x'), phrase, 'end')
    const [, before, after] = /^(.+?) (?:of )?level ([1-6])$/i.exec(rest) ?? []
    const level = levelOf(part('level') || after || '', part('noun'))
    const content = `${'#'.repeat(level)} ${readTerm(before ?? rest, phrase)}`
    return { kind: 'insert', content, place, as: 'block' }
  },
  dropSection(part, phrase) {
    const [name, ordinal] = [part('name'), part('ordinal').toLowerCase()]
    const index = ['', 'first', 'second', 'third', 'fourth', 'fifth'].indexOf(ordinal)
    if (name === '' && ordinal !== '') return { kind: 'delete-section', section: { index } }
    if (/^\d{1,4}$/.test(name)) return { kind: 'delete-section', section: { index: Number(name) } }
    const target = readTarget(name, phrase)
    if ('kind' in target || target.isSelection) return declineTarget('the section')
    return { kind: 'delete-section', section: { title: target.find } }
  },
  // Without a target the comment is on the selection; `target` is undefined if there is none.
  comment(part, phrase) {
    const text = readDictated(part('text') || part('said') || part('quoted'), phrase)
    if (part('x') !== '') return onTarget(part('x'), phrase, (target) => ({ kind: 'comment', target, text }))
    const target = readTarget('this', phrase)
    return { kind: 'comment', target: 'kind' in target ? undefined : target, text }
  },
  listComments(part) {
    const shown = part('a') || part('b') || part('c') || part('d')
    return { kind: 'list-comments', ...(shown === '' ? {} : { resolved: shown.toLowerCase() === 'resolved' }) }
  },
  resolve(part, phrase) {
    const all = part('all') !== '' || part('noun').endsWith('s')
    return { kind: 'resolve-comments', on: readTerm(part('x'), phrase) || undefined, all }
  },
  reply(part, phrase) {
    return { kind: 'reply', on: readTerm(part('x'), phrase) || undefined, text: readDictated(part('text'), phrase) }
  },
  suggest(part, phrase) {
    const { rest, scope } = takeScope(part('new'))
    const target = readTarget(part('old'), phrase, scope)
    return 'kind' in target ? target : { kind: 'suggest', target, replace: readTerm(rest, phrase) }
  },
  suggestInsert(part, phrase) {
    const { rest, place } = takePlace(part('x'), phrase, 'end')
    if (place.type !== 'relative') return declineTarget('the place')
    return { kind: 'suggest-insertion', text: readTerm(rest, phrase), anchor: place.anchor, placement: place.placement }
  },
  listChanges: () => ({ kind: 'list-changes' }),
  // One of several changes is never guessed: the command has to say "all" or use the plural.
  decide(part, { text }) {
    const decision = /^a/i.test(part('verb')) ? 'accept' : 'reject'
    if (/\b(?:all|every|each|everything|suggestions|changes|edits)\b/i.test(text)) return { kind: 'decide', decision }
    if (!/\b(?:suggestion|change|edit)\b/i.test(text)) return undefined
    const answer = `I ${decision} all suggestions at once if you say so; a single one you decide in the text.`
    return { kind: 'declined', answer }
  },
  highlight(part, phrase) {
    const color = part('color').toLowerCase() || undefined
    return onTarget(part('x'), phrase, (target) => ({ kind: 'highlight', target, color }))
  },
  point(part, phrase) {
    const noun = /^(?:the )?(?:section|heading|part|chapter)(?: (?:about|on|called|named))? (?=\S)/i
    const name = part('x')
      .replace(noun, '')
      .replace(/^the (.+) (?:section|heading|part|chapter)$/i, '$1')
    return onTarget(name, phrase, (target) => ({ kind: 'point', target, select: part('select') !== '' }))
  },
  find: (part, phrase) => ({ kind: 'find', query: readTerm(part('x'), phrase), counting: part('count') !== '' }),
  outline: () => ({ kind: 'outline' }),
  countWords: () => ({ kind: 'count-words' }),
  read: () => ({ kind: 'read' }),
  help: () => ({ kind: 'help' }),
  undo: () => ({
    kind: 'declined',
    answer:
      'Press Undo at the answer that changed it: all that it did is taken back, and what people wrote since stays.',
  }),
}

const rules = grammar
  .trim()
  .split('\n')
  .map((line) => {
    const form = line.slice(15).replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')
    return { pattern: new RegExp(`^(?:${form})$`, 'i'), build: builders[line.slice(0, 15).trim()] }
  })

/** Parses an instruction; returns `help` if it isn't understood. Deterministic; `selection` is what "this" means. */
export function parseCommand(instruction: string, selection?: string): Command {
  const command = parseSentence(instruction, selection)
  if (command.kind !== 'help') return command
  // A request may come at the end of a paragraph on another subject.
  const sentences = instruction.split(/(?<=[.!?])\s+/).slice(1)
  for (const sentence of sentences.toReversed()) {
    const last = parseSentence(sentence, selection)
    // A decision on all users' suggestions must be the whole request; it is never extracted from other text.
    if (last.kind !== 'help' && last.kind !== 'decide') return last
  }
  return command
}

function parseSentence(instruction: string, selection?: string): Command {
  const phrase = toPhrase(instruction, selection)
  for (const { pattern, build } of rules) {
    const match = pattern.exec(phrase.text)
    const command = match && build?.((name) => match.groups?.[name]?.trim() ?? '', phrase)
    if (command) return command
  }
  return { kind: 'help', said: readTerm(phrase.text, phrase) }
}

function onTarget(raw: string, phrase: Phrase, build: (target: Target) => Command): Command {
  const target = readTarget(raw, phrase)
  return 'kind' in target ? target : build(target)
}

// Words that can't be told from the text to write (a position, an exception, another command) must not be written.
function saysMore(raw: string): boolean {
  return [
    /\b(?:except|but not|unless|only in|only where|apart from)\b/i,
    /\b(?:in|of|from|inside|under) (?:the |this |that |every |each |my |our )?(?:[\p{L}\d]+ )?(?:paragraph|section|selection|sentence|heading|title|table|list|item|line|cell|row|column|block|chapter|introduction|intro|conclusion|abstract|footnote|code)s?\b/iu,
    /\band .+ (?:with|by|to|into) \S/i,
    /\uE001\s*\S/,
    /\b(?:in|from) (?:this|here|it)$/i,
  ].some((pattern) => pattern.test(raw))
}

function declineScope(find: string, rest: string): Declined {
  const answer = `I am not sure what to write in place of ${quote(find)}: ${quote(rest)} says more than that. I do one replacement at a time, everywhere, or the first or the last. Quote both texts, for example: replace "cat" with "dog"`
  return { kind: 'declined', answer }
}

function formatOf(words: string): Format {
  const formats: [RegExp, type: string, name: string][] = [
    [/^bold/i, 'bold', 'bold'],
    [/^italic/i, 'italic', 'italic'],
    [/^code block/i, 'codeBlock', 'a code block'],
    [/code$/i, 'code', 'code'],
    [/^(?:str|cross)/i, 'strike', 'strikethrough'],
    [/^underline/i, 'underline', 'underlined'],
    [/^highlight/i, 'highlight', 'highlighted'],
    [/quote$/i, 'blockquote', 'a quote'],
  ]
  const [, type = 'paragraph', name = 'a paragraph'] = formats.find(([pattern]) => pattern.test(words)) ?? []
  return { type, name }
}

function formatting(raw: string, format: Format, phrase: Phrase, remove = false): Command {
  return onTarget(raw, phrase, (target) => ({ kind: 'format', target, format, remove }))
}

function levelOf(digit: string, noun: string): number {
  return Number(digit) || (/^title$/i.test(noun) ? 1 : /^sub/i.test(noun) ? 3 : 2)
}

// "a, b and c" is split into items; a text without commas, and the selection, becomes a list as it is.
function listing(raw: string, kind: string, phrase: Phrase): Command {
  const text = readTerm(raw, phrase)
  const items = text.split(/\n|(?:,\s*(?:and )?)/).flatMap((item) => item.trim() || [])
  const isNumbered = /^(?:numbered|ordered)/i.test(kind)
  const isTask = /^(?:task|check)/i.test(kind)
  if (items.length > 1) {
    const lines = items.map((item, index) => `${isNumbered ? `${index + 1}.` : isTask ? '- [ ]' : '-'} ${item}`)
    return { kind: 'list', text, content: lines.join('\n') }
  }
  const type = isNumbered ? 'orderedList' : isTask ? 'taskList' : 'bulletList'
  const name = isNumbered ? 'a numbered list' : isTask ? 'a task list' : 'a list'
  return formatting(raw, { type, name }, phrase)
}

function inserting(raw: string, phrase: Phrase, fallback?: 'start' | 'end'): Command {
  const { rest, place } = takePlace(raw, phrase, fallback ?? 'end')
  const [, noun = '', dictated = rest] =
    /^(?:an? |the )?(?:new )?(paragraph|line|sentence|(?:list )?item|bullet)(?: (?:saying|that says|with))?:? (.*)$/i.exec(
      rest,
    ) ?? []
  const content = readTerm(dictated, phrase)
  const isDictated = fallback !== undefined || rest !== raw || /\b(?:saying|that says|with|item|bullet)\b|:/i.test(rest)
  // "add a summary at the top" asks for a new text, not for these words.
  const isNew = !isDictated || /^(?:an?|some|another|more|something) /i.test(dictated)
  if (isNew && !dictated.startsWith('\uE000')) {
    const answer = `I can add a text, but not write one. Quote it, for example: add "${content}" at the end\n\n${builtinSetupHint}`
    return { kind: 'declined', answer }
  }
  const written = /item|bullet/i.test(noun) ? `- ${content}` : content
  return { kind: 'insert', content: written, place, ...(place.type === 'absolute' ? { as: 'block' } : {}) }
}
