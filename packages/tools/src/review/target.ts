import { localizable } from '../common/localizable.ts'
import { findLines, type LinesMatch, splitLines } from '../edit/text/edit-lines.ts'
import { findShownBlock } from '../edit/find/find-shown.ts'
import { literalInline } from '../edit/content/inline-text.ts'
import { locate, type Located, type Occurrence } from '../edit/find/locate.ts'
import { failure, shorten, type ToolFailure, tooLong } from '../common/result.ts'
import type { Block } from '../document/blocks.ts'
import { blocksInRanges, type Range } from '../document/changed-ranges.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentView } from '../document/document-view.ts'
import { type Match, matchRange } from '../text/find.ts'
import { positionAt, type Segment, segmentsOf } from '../text/segments.ts'

/** The target of a tool call: a text (in a block or anywhere), a whole block, or the caller's selection. */
export type TargetInput = {
  block?: number | undefined
  find?: string | undefined
  occurrence?: Occurrence | undefined
  selection?: boolean | undefined
}

/**
 * A resolved target. `range` holds positions of the view's document, `block` is the block in which it begins, `name`
 * describes it in words. A `text` lies in one text block; `lines` are texts of several, with the leaf blocks between
 * them among `blocks`.
 */
export type Target = { ok: true; range: Range; block: Block; name: string } & (
  | { kind: 'block' }
  | { kind: 'text'; located: Located }
  | { kind: 'lines'; lines: LinesMatch; blocks: readonly Block[] }
)

/** Resolves the target of a call, or returns why there is none. */
export function findTarget(given: TargetInput, session: DocumentSession, view: DocumentView): Target | ToolFailure {
  const hasSearch = given.find !== undefined && given.find !== ''
  if (given.selection === true) {
    if (!hasSearch && given.block === undefined) return findSelection(session, view)
    return failure(
      'invalid_input',
      'selection and a text or block name two places.',
      'selection: true alone, for what the person has selected; or find and block without it.',
    )
  }
  const resolved = given.block === undefined ? undefined : session.resolve(given.block)
  if (resolved && !resolved.ok) return resolved
  if (hasSearch) return findText({ ...given, search: given.find ?? '' }, resolved?.block, session, view)
  if (resolved) return wholeBlock(resolved.block, `block [${given.block}]`)
  return failure(
    'invalid_input',
    'No place is named.',
    'Give find (the exact text), block (its number), or selection: true for what the person has selected.',
  )
}

function wholeBlock(block: Block, name: string): Target {
  const end = block.pos + block.node.nodeSize
  const range = block.kind === 'leaf' ? { from: block.pos, to: end } : { from: block.pos + 1, to: end - 1 }
  return { ok: true, kind: 'block', range, block, name }
}

function findText(
  given: { search: string; occurrence?: Occurrence | undefined },
  block: Block | undefined,
  session: DocumentSession,
  view: DocumentView,
): Target | ToolFailure {
  const { search, occurrence } = given
  const { findCharacters } = session.limits
  if (search.length > findCharacters)
    return tooLong('find', findCharacters, 'Name the place by its block, or by a shorter part of the text.')
  const located = locate(search, { occurrence, block }, session, view)
  if (located.ok) return textTarget(located, `"${shorten(search, 80)}"`, session)
  if (located.code !== 'not_found') return located
  const shown = findShownBlock(search, { block, occurrence }, session, view)
  if (shown) return wholeBlock(shown, `block [${session.show(shown)}]`)
  return findOverBlocks(given, block, session, view) ?? located
}

function textTarget(located: Located, words: string, session: DocumentSession): Target {
  const { block } = located.match.segment
  const name = `${words} in block [${session.show(block)}]`
  return { ok: true, kind: 'text', range: matchRange(located.match), block, name, located }
}

function findOverBlocks(
  { search, occurrence }: { search: string; occurrence?: Occurrence | undefined },
  block: Block | undefined,
  session: DocumentSession,
  view: DocumentView,
): Target | ToolFailure | undefined {
  const lines = splitLines(search)
  if (lines.length < 2) return undefined
  const found = findLines(lines, view).filter(([first]) => !block || first?.match.segment.block === block)
  const chosen = choose(found, occurrence)
  if (chosen) return linesTarget(chosen, [], `"${shorten(search, 80)}"`, session)
  if (found.length === 0) return undefined
  const places = found.flatMap(([line]) => (line ? [`[${session.show(line.match.segment.block)}]`] : []))
  return failure(
    'ambiguous',
    localizable`"${shorten(search, 80)}" occurs ${found.length} times, beginning in blocks ${places.join(', ')}.`,
    'Name one with occurrence or with the block in which it begins.',
  )
}

function choose(found: readonly LinesMatch[], which: Occurrence | undefined): LinesMatch | undefined {
  if (which === undefined) return found.length === 1 ? found[0] : undefined
  if (which === 'first') return found[0]
  return which === 'last' ? found.at(-1) : found[which - 1]
}

function linesTarget(
  lines: LinesMatch,
  leaves: readonly Block[],
  words: string,
  session: DocumentSession,
): Target | undefined {
  const blocks = [...new Set([...leaves, ...lines.map(({ match }) => match.segment.block)])]
  const ordered = blocks.toSorted((a, b) => a.pos - b.pos)
  const first = ordered[0]
  const last = ordered.at(-1)
  if (!first || !last) return undefined
  const ranges = [...leaves.map((leaf) => wholeBlock(leaf, '').range), ...lines.map(({ match }) => matchRange(match))]
  const range = { from: Math.min(...ranges.map((each) => each.from)), to: Math.max(...ranges.map((each) => each.to)) }
  const numbers = [session.show(first), session.show(last)]
  const name = `${words} in blocks [${numbers[0]}] to [${numbers[1]}]`
  return { ok: true, kind: 'lines', range, block: first, name, lines, blocks: ordered }
}

function noSelection(session: DocumentSession): ToolFailure {
  return failure(
    'no_selection',
    localizable`${session.caller.name} has nothing selected.`,
    'Ask them to select the text, or name it with find or block.',
  )
}

function findSelection(session: DocumentSession, view: DocumentView): Target | ToolFailure {
  const selection = session.selection()
  if (!selection || selection.from === selection.to) return noSelection(session)
  const { ranges } = selection
  const blocks = blocksInRanges(view.blocks, ranges)
  const leaves = blocks.filter((block) => block.kind === 'leaf')
  const lines = blocks.flatMap(segmentsOf).flatMap((segment) => ranges.flatMap((range) => clip(segment, range)))
  const [leaf] = leaves
  const [line] = lines
  if (leaf && leaves.length === 1 && !line) return wholeBlock(leaf, `the selected block [${session.show(leaf)}]`)
  if (line && lines.length === 1 && !leaf) {
    return textTarget({ ok: true, ...line, literal: false, hadMarker: false }, 'the selection', session)
  }
  return linesTarget(lines, leaves, 'the selection', session) ?? noSelection(session)
}

// The part of a segment within a range; undefined if that is no text.
function clip(segment: Segment, range: Range): { match: Match; found: ReturnType<typeof literalInline> }[] {
  const from = offsetAt(segment, range.from)
  const to = offsetAt(segment, range.to)
  if (from >= to) return []
  const found = segment.text.slice(from, to)
  const offsets = Array.from({ length: to - from + 1 }, (_, unit) => from + unit)
  return [{ match: { segment, found, offsets }, found: literalInline(found) }]
}

function offsetAt(segment: Segment, pos: number): number {
  let low = 0
  let high = segment.text.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (positionAt(segment, middle) >= pos) high = middle
    else low = middle + 1
  }
  return low
}
