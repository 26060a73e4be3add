import type { Fragment, Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { failure, quoteText, shorten, type ToolFailure } from '../../common/result.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { holdsChanges } from '../../document/blocks.ts'
import { type Match, matchRange } from '../../text/find.ts'
import { normalize, startsOf } from '../../text/normalize.ts'
import { holdsRequest, type Segment, segmentsOf } from '../../text/segments.ts'
import { insertLikeAfter, isItem, removeBlock } from '../blocks/block-changes.ts'
import { asShown, changeMarkers, isPlacedOtherwise, keepsPlace, type MarkedLine, ofNewLine } from './change-markers.ts'
import { type InlineText, literalInline, readInline, withoutMarker } from '../content/inline-text.ts'
import { type MarkerKind, markerReadings, setChecked, withoutOwnMarkers, withoutSameMarkers } from '../find/markers.ts'
import { replaceMatch } from './replace-inline.ts'
import { localizable, nothingToChange, removed } from '../../common/localizable.ts'

type Line = { match: Match; found: InlineText; markers?: readonly MarkerKind[]; raw?: string }

/** A match that spans several blocks: the matched part of each. */
export type LinesMatch = Line[]

/** The lines of a text that may span blocks, without blank ones; fewer than two if the text can't span blocks. */
export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => withoutMarker(line) !== '')
}

/**
 * Finds a text over consecutive text blocks: its first line ends the first block, its last line begins the last block,
 * and the lines between are whole blocks.
 */
export function findLines(lines: readonly string[], view: DocumentView): LinesMatch[] {
  const found: LinesMatch[] = []
  const sought = lines.map(readingsOf)
  for (let index = 0; index + lines.length <= view.blocks.length; index++) {
    const parts: Line[] = []
    for (const [offset, candidates] of sought.entries()) {
      const block = view.blocks[index + offset]
      const segment = block?.kind === 'text' && !holdsRequest(block.node, view) ? segmentsOf(block)[0] : undefined
      const place = offset === 0 ? 'end' : offset === lines.length - 1 ? 'start' : 'whole'
      const part = segment && matchLine(segment, candidates, place)
      if (!part) break
      parts.push({ ...part, raw: lines[offset] ?? '' })
    }
    if (parts.length === lines.length) found.push(parts)
  }
  return found
}

type Reading = { found: InlineText; markers?: readonly MarkerKind[] }

function readingsOf(line: string): Reading[] {
  const marked = markerReadings(line).flatMap(({ text, markers }) => [
    { found: literalInline(text), markers },
    { found: readInline(text), markers },
  ])
  return [{ found: literalInline(line) }, { found: readInline(line) }, ...marked]
}

function matchLine(
  segment: Segment,
  candidates: readonly Reading[],
  place: 'end' | 'start' | 'whole',
): Line | undefined {
  for (const { found: candidate, ...reading } of candidates) {
    const normalized = normalize(segment.text)
    const { text } = normalized
    const wanted = normalize(candidate.text).text
    const at = place === 'end' ? text.length - wanted.length : 0
    const fits = place === 'whole' ? text === wanted : at >= 0 && text.startsWith(wanted, at)
    if (!fits) continue
    const match: Match = { segment, found: wanted, offsets: startsOf(normalized, at, wanted.length) }
    return { match, found: wanted === candidate.text ? candidate : literalInline(wanted), ...reading }
  }
  return undefined
}

/**
 * Plans the replacement of a text that spans blocks. If the number of lines stays the same, each block is edited
 * separately; otherwise completely matched blocks are added or removed; blocks are joined only where the text begins or
 * ends in the middle of a block.
 */
export function planLines(
  view: DocumentView,
  lines: LinesMatch,
  replace: string,
  names: { first: string; last: string },
): ChangePlan | ToolFailure {
  const crossing = lines.slice(1).some(({ match }) => startsSection(match.segment.node))
  if (crossing) {
    return failure(
      'invalid_operation',
      'The text reaches into another section.',
      'A text to replace may span the blocks of one section. Edit each section by itself.',
    )
  }
  const transform = new Transform(view.doc)
  const target = splitLines(replace)
  if (target.length !== lines.length && reachesChanges(view.doc, lines)) {
    return failure(
      'invalid_operation',
      'The text holds suggested changes, which joining or removing its blocks would carry off.',
      'Edit each block by itself, or ask the person to decide on the suggested changes first.',
    )
  }
  const marked: MarkedLine[] = []
  if (target.length === lines.length) {
    lines.toReversed().forEach((line, index) => marked.push(...editLine(transform, line, target.at(-1 - index))))
  } else if (lines.every(isWhole)) marked.push(...editBlocks(transform, lines, target))
  else join(transform, lines, target)
  const inOrder = marked.toReversed()
  if (!changeMarkers(transform, inOrder, transform.steps.length === 0)) return keepsPlace(names.first)
  const before = lines.map(({ match }) => match.found).join('\n')
  const after = target.join('\n')
  // Includes markers, so that a task of which only the checkbox changes doesn't look unchanged.
  const sought = lines.map(({ match, markers, raw }) => (markers && raw) || match.found).join('\n')
  if (transform.steps.length === 0) {
    if (inOrder.some(({ was, line }) => isPlacedOtherwise(was, line))) return keepsPlace(names.first)
    const message = `Nothing to change: blocks ${names.first} to ${names.last} already read so.`
    return { ok: true, transform, message, summary: nothingToChange, changes: [] }
  }
  const pos = transform.mapping.map(lines[0]?.match.segment.start ?? 0, -1)
  return {
    ok: true,
    transform,
    message: `Replaced "${quoteText(sought)}" by "${quoteText(after)}" in blocks ${names.first} to ${names.last}.`,
    summary: localizable`${shorten(before, 60)} → ${shorten(after, 60) || removed}`,
    changes: [{ before, after, pos }],
  }
}

// Includes hidden blocks between the lines: content that others suggested to delete is kept.
function reachesChanges(doc: Node, lines: LinesMatch): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  let found = false
  if (!first || !last) return found
  doc.nodesBetween(first.match.segment.block.pos, last.match.segment.block.pos + 1, (node) => {
    if (node.isTextblock || node.isLeaf) found ||= holdsChanges(node)
  })
  return found
}

function startsSection(node: Node): boolean {
  return node.type.name === 'heading' && node.attrs.level === 2
}

function isWhole({ match }: Line): boolean {
  return match.offsets[0] === 0 && match.offsets.at(-1) === match.segment.text.length
}

// Returns the block's new line if its markers are significant.
function editLine(transform: Transform, line: Line, target: string | undefined): MarkedLine[] {
  const { match, found, markers, raw } = line
  const { block } = match.segment
  if (isWhole(line)) setChecked(transform, block, target ?? '')
  replaceMatch(transform, match, found, inline(contentOf(target ?? '', line, transform.doc), match))
  if (!isWhole(line) || !markers || raw === undefined || target === undefined) return []
  return [{ was: asShown(raw, target, transform.before, block), line: target, start: block.pos, steps: 0 }]
}

// The text of a new line, without the markers that reads show before it.
function contentOf(target: string, { match, markers }: Line, doc: Node): string {
  return markers ? withoutSameMarkers(target, markers) : withoutOwnMarkers(target, match.segment.block, doc)
}

function inline(text: string, match: Match): InlineText {
  return match.segment.node.type.spec.code === true ? literalInline(text) : readInline(text)
}

// Equal lines at both ends keep their blocks; the rest is paired in order, from the end so that positions stay valid.
// Returns the new lines with significant markers, last first.
function editBlocks(transform: Transform, lines: LinesMatch, target: readonly string[]): MarkedLine[] {
  const marked: MarkedLine[] = []
  const limit = Math.min(lines.length, target.length)
  const same = (line: Line | undefined, text: string | undefined): boolean =>
    line !== undefined &&
    text !== undefined &&
    line.match.found === readInline(contentOf(text, line, transform.doc)).text
  let tail = 0
  while (tail < limit && same(lines.at(-1 - tail), target.at(-1 - tail))) tail++
  const old = lines.slice(0, lines.length - tail)
  const now = target.slice(0, target.length - tail)
  const anchor = old.length > 0 ? old.at(-1) : undefined
  for (const line of old.slice(now.length).toReversed()) removeBlock(transform, line.match.segment.block)
  const added = now.slice(old.length).toReversed()
  const before = anchor ?? lines[0]
  for (const text of added) {
    if (!before) continue
    const { block } = before.match.segment
    const start = insertLikeAfter(transform, block, inline(withoutMarker(text), before.match).content)
    const was = ofNewLine(before.raw ?? before.match.found, text, transform.before, block)
    marked.push({ was, line: text, start, steps: transform.steps.length })
  }
  old
    .slice(0, now.length)
    .toReversed()
    .forEach((line, index) => {
      marked.push(...editLine(transform, line, now.slice(0, old.length).at(-1 - index)))
    })
  return marked
}

function join(transform: Transform, lines: LinesMatch, target: readonly string[]): void {
  const first = lines[0]
  const last = lines.at(-1)
  if (!first || !last) return
  const from = matchRange(first.match).from
  transform.delete(from, matchRange(last.match).to)
  const pieces = target.map((text) => inline(contentOf(text, first, transform.doc), first.match).content)
  const $from = transform.doc.resolve(from)
  const depth = $from.depth > 1 && isItem($from.node(-1)) && $from.index(-1) === 0 ? 2 : 1
  let pos = from
  pieces.forEach((content: Fragment, index) => {
    if (index > 0) {
      transform.split(pos, depth)
      pos += 2 * depth
    }
    transform.insert(pos, content)
    pos += content.size
  })
}
