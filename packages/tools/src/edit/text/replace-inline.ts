import { diffText, type Hunk } from '@copydesk/schema'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { type Match, matchBounds, matchRange } from '../../text/find.ts'
import { isVisible } from '../../document/blocks.ts'
import { changeChild } from '../../document/local-transform.ts'
import type { Child } from '../../document/outline.ts'
import { atomAround, endPositionAt, mentionEndingAt, positionAt, visibleRanges } from '../../text/segments.ts'
import type { InlineText } from '../content/inline-text.ts'

/**
 * Replaces a match by other inline content. Changes only the differences between `found` (the text as the model wrote
 * it) and `replacement`, each in a separate step; marks change only where the two differ in markup. The document of
 * `transform` must be unchanged up to the end of the match. Text within the match that suggested changes delete keeps
 * its position.
 */
export function replaceMatch(transform: Transform, match: Match, found: InlineText, replacement: InlineText): void {
  if (replacement.hasAtoms) {
    replaceWhole(transform, match, found, replacement)
    return
  }
  const hunks = diffText(found, replacement, { keepsFew: true })
  // New text gets the marks that its neighbours had before the change.
  const before = transform.doc
  changeMarks(transform, match, hunks, found, replacement)
  for (const hunk of joinedAtAtoms(match, hunks).toReversed()) {
    const text = replacement.text.slice(hunk.at, hunk.end)
    replaceHunk(transform, before, match, snapToAtoms(match, hunk, text), { found, replacement })
  }
}

/** Like `replaceMatch`, for a match in one child of the document, with steps on that child alone. */
export function replaceInChild(
  transform: Transform,
  child: Child,
  match: Match,
  found: InlineText,
  replacement: InlineText,
): void {
  const segment = { ...match.segment, start: match.segment.start - child.position }
  changeChild(transform, child, (local) => replaceMatch(local, { ...match, segment }, found, replacement))
}

function replaceWhole(transform: Transform, match: Match, found: InlineText, replacement: InlineText): void {
  const { from, to } = matchRange(match)
  const named = new Set(found.marks.flat())
  const base = baseMarks(transform.doc, from, to, match).filter((mark) => {
    return coversMatch(mark, match) && ![...named].some((each) => each.type === mark.type)
  })
  const nodes = Fragment.from(replacement.content.content.map((node) => withMarks(node, base)))
  const bounds = matchBounds(match)
  replaceVisible(transform, visibleRanges(match.segment, bounds.from, bounds.to), from, nodes)
}

// The new content replaces the first range; without a range it is inserted at `pos`.
function replaceVisible(
  transform: Transform,
  ranges: readonly { from: number; to: number }[],
  pos: number,
  content: Fragment,
): void {
  for (const range of ranges.slice(1).toReversed()) transform.delete(range.from, range.to)
  const first = ranges[0] ?? { from: pos, to: pos }
  if (content.size > 0) transform.replaceWith(first.from, first.to, content)
  else if (first.to > first.from) transform.delete(first.from, first.to)
}

function withMarks(node: Node, base: readonly Mark[]): Node {
  return node.isText ? node.mark(joinMarks(base, node.marks)) : node
}

function joinMarks(base: readonly Mark[], more: readonly Mark[]): readonly Mark[] {
  return more.reduce((set: readonly Mark[], mark) => mark.addToSet(set), base)
}

// Two changes inside one atom replace all of it together.
function joinedAtAtoms({ segment, offsets }: Match, hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    const atom = atomAround(segment, offsets[hunk.from] ?? 0)
    if (last && atom && (offsets[last.to] ?? 0) > atom.from) Object.assign(last, { to: hunk.to, end: hunk.end })
    else joined.push({ ...hunk })
  }
  return joined
}

// Replaces `start` to `end` of the segment; `from` is its beginning in the match, `at` that of `text` in the
// replacement.
type Placed = { from: number; at: number; text: string; start: number; end: number }

// A mention is never partly edited: a change that overlaps one, or extends its name, replaces the whole mention.
function snapToAtoms(match: Match, hunk: Hunk, replacement: string): Placed {
  const { segment, offsets } = match
  let start = offsets[hunk.from] ?? 0
  let end = offsets[hunk.to] ?? start
  let text = replacement
  const lengthens = hunk.from > 0 && /^[\p{L}\p{N}]/u.test(text)
  const first = atomAround(segment, start) ?? (lengthens ? mentionEndingAt(segment, start) : undefined)
  const last = atomAround(segment, end)
  if (first) {
    text = segment.text.slice(first.from, start) + text
    start = first.from
  }
  if (last) {
    text += segment.text.slice(end, last.to)
    end = last.to
  }
  return { from: hunk.from, at: hunk.at - (first ? (offsets[hunk.from] ?? 0) - first.from : 0), text, start, end }
}

function replaceHunk(
  transform: Transform,
  before: Node,
  match: Match,
  hunk: Placed,
  { found, replacement }: { found: InlineText; replacement: InlineText },
): void {
  const ranges = visibleRanges(match.segment, hunk.start, hunk.end)
  const isInside = hunk.start > matchBounds(match).from
  const from = ranges[0]?.from ?? (isInside ? endPositionAt : positionAt)(match.segment, hunk.start)
  const to = ranges[0]?.to ?? from
  if (hunk.text === '') {
    replaceVisible(transform, ranges, from, Fragment.empty)
    return
  }
  const dropped = found.marks[Math.min(hunk.from, found.marks.length - 1)] ?? []
  const base = dropped.reduce((set, mark) => mark.removeFromSet(set), baseMarks(before, from, to, match))
  replaceVisible(transform, ranges, from, buildNodes(match, hunk, base, replacement))
}

function buildNodes(match: Match, hunk: Placed, base: readonly Mark[], replacement: InlineText): Fragment {
  const { schema } = match.segment.node.type
  const isCode = match.segment.node.type.spec.code === true
  const nodes: Node[] = []
  let from = 0
  const marksAt = (unit: number): readonly Mark[] => replacement.marks[hunk.at + unit] ?? []
  for (let unit = 1; unit <= hunk.text.length; unit++) {
    if (unit < hunk.text.length && marksAt(unit) === marksAt(from)) continue
    const set = joinMarks(base, isCode ? [] : marksAt(from))
    const lines = isCode ? [hunk.text.slice(from, unit)] : hunk.text.slice(from, unit).split('\n')
    lines.forEach((line, index) => {
      if (index > 0) nodes.push(schema.node('hardBreak'))
      if (line !== '') nodes.push(schema.text(line, set))
    })
    from = unit
  }
  return Fragment.fromArray(nodes)
}

// New text is never part of a suggested deletion, even if it is inserted inside such a range.
function baseMarks(doc: Node, from: number, to: number, match: Match): readonly Mark[] {
  return marksAround(doc, from, to, match).filter((mark) => mark.type.name !== 'deletion')
}

// New text gets the marks of the text that it replaces; at an edge of the match those of the match, not of its
// neighbour.
function marksAround(doc: Node, from: number, to: number, match: Match): readonly Mark[] {
  const $from = doc.resolve(from)
  if (to > from && $from.nodeAfter?.isText) return $from.nodeAfter.marks
  const whole = matchRange(match)
  if (whole.from === whole.to) return $from.marks()
  const inside = from === whole.from ? $from.nodeAfter : $from.nodeBefore
  const marks = inside?.isText ? inside.marks : $from.marks()
  if (from !== whole.from && from !== whole.to) return $from.marks()
  return marks.filter((mark) => mark.type.spec.inclusive !== false || coversMatch(mark, match))
}

function coversMatch(mark: Mark, match: Match): boolean {
  const { from, to } = matchRange(match)
  let covered = true
  match.segment.node.nodesBetween(from - match.segment.start, to - match.segment.start, (node) => {
    if (isVisible(node) && !mark.isInSet(node.marks)) covered = false
  })
  return covered
}

function changeMarks(
  transform: Transform,
  match: Match,
  hunks: readonly Hunk[],
  found: InlineText,
  replacement: InlineText,
): void {
  if (match.segment.node.type.spec.code === true) return
  let old = 0
  let now = 0
  for (const hunk of [...hunks, { from: found.text.length, to: 0, at: 0, end: 0 }]) {
    for (; old < hunk.from; old++, now++) {
      const before = found.marks[old] ?? []
      const after = replacement.marks[now] ?? []
      if (before === after) continue
      const from = positionAt(match.segment, match.offsets[old] ?? 0)
      const to = endPositionAt(match.segment, match.offsets[old + 1] ?? 0)
      if (to <= from) continue
      for (const mark of before) if (!mark.isInSet(after)) transform.removeMark(from, to, mark)
      for (const mark of after) if (!mark.isInSet(before)) transform.addMark(from, to, mark)
    }
    old = hunk.to
    now = hunk.end
  }
}
