import { localizable } from '../../common/localizable.ts'
import { RE2JS, RE2JSException } from 're2js'
import { failure, type ToolFailure } from '../../common/result.ts'
import type { Match } from '../../text/find.ts'
import { normalize, startsOf } from '../../text/normalize.ts'
import { requiredLiteral } from '../../text/required-literal.ts'
import { createSearcher } from '../../text/search.ts'
import { atomAround, type Segment } from '../../text/segments.ts'
import { splitsPair } from '../../text/surrogates.ts'
import type { SegmentsWith } from '../../text/text-index.ts'
import { type InlineText, literalInline, readInline } from '../content/inline-text.ts'
import type { Groups } from '../content/replacement-template.ts'

/** A search for all occurrences; `matchCase` and `wholeWord` are off by default. */
export type SearchOptions = {
  searchText: string
  matchCase?: boolean | undefined
  wholeWord?: boolean | undefined
  isRegex?: boolean | undefined
}

/** One occurrence of a text: the match, its text for comparison with a replacement, and the captured groups. */
export type Hit = { match: Match; found: InlineText; groups: Groups }

/**
 * The occurrences in document order. `partial` counts those omitted because they cover only part of a mention or
 * another atom; `literal` says that the text occurs literally although it looks like markup.
 */
export type Hits = { hits: Hit[]; partial: number; literal: boolean }

/** Searches the given segments for one text or pattern; requests only segments that may contain a given literal. */
export type Finder = { groups: { count: number; names: string[] }; find(segmentsWith: SegmentsWith): Hits }

/**
 * Creates a finder. Text is found regardless of the encoding of quotes, dashes, spaces and accents, and also in
 * markdown notation (`**bold**`); patterns run in RE2's linear time, and a pattern that RE2 refuses is `invalid_input`.
 */
export function createFinder(wanted: SearchOptions): { ok: true; finder: Finder } | ToolFailure {
  return wanted.isRegex === true ? patternFinder(wanted) : textFinder(wanted)
}

function patternFinder({
  searchText,
  matchCase,
  wholeWord,
}: SearchOptions): { ok: true; finder: Finder } | ToolFailure {
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(searchText, RE2JS.MULTILINE | (matchCase === true ? 0 : RE2JS.CASE_INSENSITIVE))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return failure(
      'invalid_input',
      localizable`The pattern can't be used: ${error.message}.`,
      'find: a regular expression in RE2 syntax, without look-around and back-references; or leave isRegex out to replace the text itself.',
    )
  }
  const names = Object.keys(pattern.namedGroups())
  const literal = requiredLiteral(searchText)
  const find = (segmentsWith: SegmentsWith): Hits => {
    const found: Hits = { hits: [], partial: 0, literal: false }
    for (const segment of segmentsWith(literal)) {
      // Testing for a match takes a quarter of the time of locating it.
      if (!pattern.test(segment.text)) continue
      const matcher = pattern.matcher(segment.text)
      while (matcher.find()) {
        const from = matcher.start()
        const to = matcher.end()
        if (to === from || (wholeWord === true && !isWholeWord(segment.text, from, to))) continue
        const numbered = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? '')
        const named = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']))
        add(found, segment, from, to, { numbered, named })
      }
    }
    return found
  }
  return { ok: true, finder: { groups: { count: pattern.groupCount(), names }, find } }
}

function textFinder(wanted: SearchOptions): { ok: true; finder: Finder } | ToolFailure {
  const { searchText } = wanted
  const markup = readInline(searchText)
  const find = (segmentsWith: SegmentsWith): Hits => {
    const literal = findPlain(wanted, literalInline(searchText), segmentsWith)
    const isMarkup = markup.text !== searchText && markup.text !== ''
    if (literal.hits.length > 0 || !isMarkup) return { ...literal, literal: literal.hits.length > 0 && isMarkup }
    return findPlain(wanted, markup, segmentsWith)
  }
  return { ok: true, finder: { groups: { count: 0, names: [] }, find } }
}

function findPlain(wanted: SearchOptions, sought: InlineText, segmentsWith: SegmentsWith): Hits {
  const found: Hits = { hits: [], partial: 0, literal: false }
  const made = createSearcher(sought.text, false, wanted.matchCase === true)
  if (!made.ok) return found
  const { literal, search } = made.searcher
  for (const segment of segmentsWith(literal)) {
    for (const [from, to] of search(segment.text)) {
      if (to === from || (wanted.wholeWord === true && !isWholeWord(segment.text, from, to))) continue
      add(found, segment, from, to, { numbered: [segment.text.slice(from, to)], named: {} }, sought)
    }
  }
  return /[\p{L}\p{N}]/u.test(sought.text) ? found : onlyExact(found, sought.text)
}

// A query with a curly quote or a long dash matches straight quotes and short dashes only if there are no exact
// matches.
function onlyExact(found: Hits, text: string): Hits {
  const exact = found.hits.filter(({ groups }) => groups.numbered[0] === text)
  return exact.length > 0 ? { ...found, hits: exact } : found
}

function add(found: Hits, segment: Segment, from: number, to: number, groups: Groups, sought?: InlineText): void {
  if (splitsPair(segment.text, from) || splitsPair(segment.text, to)) return
  if (atomAround(segment, from) || atomAround(segment, to)) {
    found.partial++
    return
  }
  const text = segment.text.slice(from, to)
  found.hits.push({ ...compared(segment, from, text, sought), groups })
}

// If the document encodes a character differently from the query (a curly quote), the character is kept where query and
// replacement agree.
function compared(segment: Segment, from: number, text: string, sought: InlineText | undefined): Omit<Hit, 'groups'> {
  const isEncodedAlike = sought === undefined || text.toLowerCase() === sought.text.toLowerCase()
  if (isEncodedAlike) {
    const offsets = Array.from({ length: text.length + 1 }, (_, unit) => from + unit)
    const hasMarks = sought?.text.length === text.length
    const found = hasMarks ? { ...sought, text } : literalInline(text)
    return { match: { segment, found: text, offsets }, found }
  }
  const normalized = normalize(text)
  const offsets = startsOf(normalized, 0, normalized.text.length).map((offset) => from + offset)
  return { match: { segment, found: normalized.text, offsets }, found: literalInline(normalized.text) }
}

// An edge that is not a letter or digit (`C++`) needs no word boundary.
function isWholeWord(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 2), from)
  const after = text.slice(to, to + 2)
  const startsInside = /[\p{L}\p{N}\p{M}]$/u.test(before) && /^[\p{L}\p{N}\p{M}]/u.test(text.slice(from, to))
  const endsInside = /^[\p{L}\p{N}\p{M}]/u.test(after) && /[\p{L}\p{N}\p{M}]$/u.test(text.slice(from, to))
  return !startsInside && !endsInside
}
