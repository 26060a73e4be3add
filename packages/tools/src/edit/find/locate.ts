import { type Localizable, localizable } from '../../common/localizable.ts'
import { renderBlock } from '../../render/render-block.ts'
import { failure, quoteText, type ToolFailure } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { findExact, findNormalized, linkAt, linkOf, type Match, type Matches, matchInContext } from '../../text/find.ts'
import { findNearest, type NearestText } from '../../text/nearest.ts'
import { allSegments, type Segment, segmentsOf } from '../../text/segments.ts'
import { requestSegments, type SegmentsWith, segmentsWith } from '../../text/text-index.ts'
import { type InlineText, literalInline, readInline, withoutMarker } from '../content/inline-text.ts'
import { type MarkerKind, markerReadings } from './markers.ts'

/** Selects one of several occurrences: the n-th from 1, or the first or last. */
export type Occurrence = number | 'first' | 'last'

/**
 * A located text: the match, and the text as the model intended it. `literal`: the text occurs literally although it
 * looks like markup, so its replacement is not markup either; `hadMarker`: the model included the markers of its list
 * item, heading or quote, which are `markers`, in order.
 */
export type Located = {
  ok: true
  match: Match
  found: InlineText
  literal: boolean
  hadMarker: boolean
  markers?: readonly MarkerKind[]
}

// All occurrences of a text, from the first search method that finds any.
type Found = Omit<Located, 'ok' | 'match'> & { matches: Match[]; partial: number }

// Searches for a text as written by a model: first literally; then without the markup that a read shows (`**bold**`, `-
// item`); then regardless of the encoding of quotes, dashes, spaces and accents.
function findText(text: string, segmentsWith: SegmentsWith): Found {
  const exact = literalInline(text)
  const readings = markerReadings(text).map((reading) => ({ found: readInline(reading.text), ...reading }))
  const named = [exact, readInline(text), ...readings.map(({ found }) => found)].filter(({ text }) => text !== '')
  const candidates = named.filter(({ text }, index) => named.findIndex((other) => other.text === text) === index)
  let partial = 0
  for (const find of [findExact, findNormalized]) {
    for (const candidate of candidates) {
      const found = withSameLink(find(candidate.text, segmentsWith(candidate.text)), candidate)
      partial += found.partial
      if (found.matches.length === 0) continue
      const literal = candidate === exact && readInline(text).text !== text
      const { markers } = readings.find((reading) => reading.found === candidate) ?? {}
      const hadMarker = markers !== undefined
      const matched = matchedText(candidate, found.matches[0])
      return { matches: found.matches, partial, found: matched, literal, hadMarker, ...(markers ? { markers } : {}) }
    }
  }
  return { matches: [], partial, found: exact, literal: true, hadMarker: false }
}

// A text that is given as a link with its address matches only links to that address.
function withSameLink({ matches, partial }: Matches, candidate: InlineText): Matches {
  const wanted = linkOf(candidate.marks[0])
  if (wanted === undefined || candidate.marks.some((marks) => linkOf(marks) !== wanted)) return { matches, partial }
  return { matches: matches.filter((match) => linkAt(match) === wanted), partial }
}

// If only the normalised texts were equal, the normalised text without its marks is compared with the replacement.
function matchedText(candidate: InlineText, match: Match | undefined): InlineText {
  return !match || match.found === candidate.text ? candidate : literalInline(match.found)
}

/**
 * Locates one occurrence; the failure says why there is none, or lists several. `block` limits the search to one block,
 * `scope` to matches in these segments.
 */
export function locate(
  text: string,
  options: {
    occurrence?: Occurrence | undefined
    block?: Block | undefined
    scope?: { segments: readonly Segment[]; holds: (match: Match) => boolean } | undefined
  },
  session: DocumentSession,
  view: DocumentView,
): Located | ToolFailure {
  const scope = options.scope?.segments ?? (options.block && segmentsOf(options.block))
  const anywhere: SegmentsWith = (part) => segmentsWith(part, view)
  const found = findText(text, scope ? () => scope : anywhere)
  const matches = options.scope ? found.matches.filter(options.scope.holds) : found.matches
  if (matches.length === 0) return notFound(text, found.partial, options.block, session, view)
  const only = matches.length === 1 ? matches[0] : undefined
  if (only && options.occurrence === undefined) return { ...found, ok: true, match: only }
  if (options.occurrence === undefined) {
    const how = localizable`occurs ${matches.length} times`
    return ambiguous(text, how, localizable`with its block, or with more of the text around it`, matches, session)
  }
  const match = pick(matches, options.occurrence)
  return match ? { ...found, ok: true, match } : noSuchOccurrence(text, matches.length)
}

function pick(matches: readonly Match[], occurrence: Occurrence): Match | undefined {
  if (occurrence === 'first') return matches[0]
  return occurrence === 'last' ? matches.at(-1) : matches[occurrence - 1]
}

function noSuchOccurrence(text: string, count: number): ToolFailure {
  return failure(
    'out_of_range',
    localizable`"${quoteText(text, 80)}" occurs ${count === 1 ? localizable`once` : localizable`${count} times`}.`,
    localizable`occurrence can be 1 to ${count}, 'first' or 'last'.`,
  )
}

/**
 * The failure for a text with several matches: lists their places, and says that `occurrence` or `others` selects one.
 */
export function ambiguous(
  text: string,
  how: Localizable,
  others: Localizable | string,
  matches: readonly Match[],
  session: DocumentSession,
): ToolFailure {
  const shown = matches.slice(0, session.limits.searchMatches)
  const places = shown.map((match, index) => {
    return `${index + 1}. [${session.show(match.segment.block)}] ${matchInContext(match)}`
  })
  if (matches.length > shown.length) places.push(`…and ${matches.length - shown.length} more`)
  return failure(
    'ambiguous',
    localizable`"${quoteText(text, 80)}" ${how}:\n${places.join('\n')}`,
    localizable`Name one with occurrence (1 to ${matches.length}, 'first' or 'last'), ${others}.`,
    { count: matches.length, blocks: shown.map((match) => session.show(match.segment.block)) },
  )
}

/** The hint for matching text that reads show in a form that can't be found in parts; empty for other text. */
export function matchingHint(text: string): Localizable | '' {
  if (/^\s*\|.*\||\S \| \S/m.test(text)) {
    return localizable` A table row is matched as the whole line that reads show, or by the text of one cell.`
  }
  if (/```|~~~/.test(text))
    return localizable` A code block is matched with both fences as reads show it, or by lines of its code.`
  if (/\S/.test(text) && withoutMarker(`${text} `) === '')
    return localizable` A marker is matched with its text, or with its block.`
  if (/\*\*|__|~~|`/.test(text)) return localizable` Formatting needs no marks: the words alone are found too.`
  return ''
}

function notFound(
  text: string,
  partial: number,
  block: Block | undefined,
  session: DocumentSession,
  view: DocumentView,
): ToolFailure {
  if (partial > 0) {
    return failure(
      'invalid_operation',
      localizable`"${quoteText(text, 80)}" is only part of a mention or a formula, which is one piece.`,
      'Name the whole of it, as in @label or $formula$, or text next to it.',
    )
  }
  const segments: SegmentsWith = block ? () => segmentsOf(block) : (part) => segmentsWith(part, view)
  const elsewhere = block ? findText(text, (part) => segmentsWith(part, view)).matches[0] : undefined
  const own = elsewhere ? undefined : findText(text, (part) => requestSegments(part, view)).matches[0]
  return failure(
    'not_found',
    block
      ? localizable`"${quoteText(text, 80)}" isn't in block [${session.show(block)}].`
      : localizable`"${quoteText(text, 80)}" isn't in the document.`,
    elsewhere
      ? localizable`It is in block [${session.show(elsewhere.segment.block)}]. Repeat the call with that block, or without block.`
      : own && own.segment.block !== block
        ? requestHint(own.segment.block, session)
        : localizable`${otherLink(text, segments, session)}${nearestHint(text, block, session, view)}${matchingHint(text)}`,
  )
}

/** The hint for a text that occurs only in the run's own request, which is in this block. */
export function requestHint(block: Block, session: DocumentSession): Localizable {
  return localizable`It is only in block [${session.show(block)}], your request. Repeat the call with that block if it means it.`
}

// A text that was given as a link may occur as a link to another address.
function otherLink(text: string, segments: SegmentsWith, session: DocumentSession): Localizable | '' {
  const given = readInline(text)
  if (linkOf(given.marks[0]) === undefined) return ''
  const links = findExact(given.text, segments(given.text)).matches.flatMap((match) => {
    const address = linkAt(match)
    return address === undefined ? [] : [`${quoteText(address)} in block [${session.show(match.segment.block)}]`]
  })
  return links.length === 0
    ? ''
    : localizable`"${quoteText(given.text, 80)}" is a link to ${links.slice(0, 3).join(', ')}. `
}

function nearestHint(
  text: string,
  block: Block | undefined,
  session: DocumentSession,
  view: DocumentView,
): Localizable {
  const rows = text.includes('|') ? findNearest(text, shownRows(block ? [block] : view.blocks, view)) : []
  const inBlock = rows.length === 0 && block ? findNearest(text, segmentsOf(block)) : rows
  const nearest = inBlock.length > 0 ? inBlock : findNearest(text, allSegments(view))
  return localizable`${didYouMean(nearest, session)}Text must match exactly, upper and lower case too; look for it with search_document.`
}

// Rows of tables as shown by reads.
function* shownRows(blocks: readonly Block[], view: DocumentView): Generator<Segment> {
  for (const block of blocks) {
    const { kind, node, pos } = block
    if (kind === 'row') yield { block, node, start: pos, text: renderBlock(view.doc, block) }
  }
}

/** A question that lists texts with their blocks, followed by a space; empty if there are none. */
export function didYouMean(nearest: readonly NearestText[], session: DocumentSession): Localizable | '' {
  const texts = nearest.map(
    ({ text, segment }) => localizable`"${quoteText(text)}" in block [${session.show(segment.block)}]`,
  )
  const last = texts.pop()
  if (last === undefined) return ''
  const [first, ...more] = texts
  if (first === undefined) return localizable`Did you mean ${last}? `
  const others = more.reduce((before, each) => localizable`${before}, ${each}`, first)
  return localizable`Did you mean ${others} or ${last}? `
}
