import type { Mark } from 'prosemirror-model'
import { shorten } from '../common/result.ts'
import { normalizedTextOf } from './folded.ts'
import { normalize, startsOf } from './normalize.ts'
import { atomAround, endPositionAt, positionAt, type Segment } from './segments.ts'
import { splitsPair } from './surrogates.ts'

/**
 * An occurrence of a text. `offsets[i]` is where in the segment's text the i-th unit of `found` begins, with one more
 * entry for the end: `found` differs from the document if only the normalised texts were equal.
 */
export type Match = { segment: Segment; found: string; offsets: number[] }

/** The matches, and the number of those omitted because they cover only part of a mention or another atom. */
export type Matches = { matches: Match[]; partial: number }

/** Finds `text` exactly, case-sensitive; overlapping occurrences count once. Ignores marks. */
export function findExact(text: string, segments: Iterable<Segment>): Matches {
  const found: Matches = { matches: [], partial: 0 }
  if (text === '') return found
  for (const segment of segments) {
    for (let at = segment.text.indexOf(text); at >= 0; at = segment.text.indexOf(text, at + text.length)) {
      add(found, { segment, found: text, offsets: Array.from({ length: text.length + 1 }, (_, i) => at + i) })
    }
  }
  return found
}

/** Finds a text regardless of the encoding of quotes, dashes, spaces and accents. */
export function findNormalized(sought: string, segments: Iterable<Segment>): Matches {
  const found: Matches = { matches: [], partial: 0 }
  const wanted = normalize(sought).text
  if (wanted === '') return found
  for (const segment of segments) {
    const normalized = normalizedTextOf(segment.text, segment.node)
    const { text } = normalized
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      add(found, { segment, found: wanted, offsets: startsOf(normalized, at, wanted.length) })
    }
  }
  return found
}

function add(found: Matches, match: Match): void {
  const { from, to } = matchBounds(match)
  // A lone surrogate is not valid text: Yjs would store a replacement character for each half.
  if (splitsPair(match.segment.text, from) || splitsPair(match.segment.text, to)) return
  if (atomAround(match.segment, from) || atomAround(match.segment, to)) found.partial++
  else found.matches.push(match)
}

/** The bounds of a match in its segment's text. */
export function matchBounds(match: Match): { from: number; to: number } {
  return { from: match.offsets[0] ?? 0, to: match.offsets.at(-1) ?? 0 }
}

/**
 * The bounds of a match in the document, as ProseMirror positions. Text that suggested changes delete may lie in
 * between, never at the ends.
 */
export function matchRange(match: Match): { from: number; to: number } {
  const { from, to } = matchBounds(match)
  const start = positionAt(match.segment, from)
  return { from: start, to: to > from ? endPositionAt(match.segment, to) : start }
}

/** The address of a link among these marks. */
export function linkOf(marks: readonly Mark[] | undefined): string | undefined {
  const link = marks?.find((mark) => mark.type.name === 'link')
  return link && String(link.attrs.href)
}

/** The address of the link that contains a match; `undefined` without a link, and for several. */
export function linkAt(match: Match): string | undefined {
  const { from, to } = matchRange(match)
  const { node, start } = match.segment
  const addresses = new Set<string | undefined>()
  node.nodesBetween(from - start, to - start, (child) => void addresses.add(linkOf(child.marks)))
  return addresses.size === 1 ? [...addresses][0] : undefined
}

const wordsAround = 30

/** A match with a few words of context, on one line, the match itself in `[[ ]]`, with the address if it is a link. */
export function matchInContext(match: Match): string {
  const { text } = match.segment
  const { from, to } = matchBounds(match)
  const start = Math.max(0, from - wordsAround)
  const end = Math.min(text.length, to + wordsAround)
  const before = (start > 0 ? '…' : '') + text.slice(start, from)
  const after = text.slice(to, end) + (end < text.length ? '…' : '')
  const address = linkAt(match)
  const link = address === undefined ? '' : ` (link to ${shorten(address, 100)})`
  return `${before}[[${text.slice(from, to)}]]${after}${link}`.replace(/\s+/g, ' ').toWellFormed()
}
