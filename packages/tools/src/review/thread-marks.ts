import { readThreads, writeThreads } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import type { Range } from '../session/changed-ranges.ts'

const longestGap = 64
/**
 * Marks of threads on one character; each is one more for whoever reads the text. Beside them suggested changes find
 * room.
 */
const threadsOnText = 50
/** Stretches of text and inline atoms that a thread marks in one block: to mark one copies the block. */
const piecesInBlock = 200

/**
 * Marks a range of `doc` as what the thread `id` is about: text by the `comment` mark, inline atoms and leaf blocks by
 * their `threads` attribute, since Yjs keeps no marks on them; a range without content by the attribute of the text
 * block around it. Of a block in very many pieces the first are marked. What carries the thread already stays. No step moves a position. A range beyond the document's ends
 * is cut to them; where there is nothing to mark, or what there is holds as many threads as it can, the transform has
 * no steps.
 */
export function markThread(doc: Node, id: string, range: Range): Transform {
  const transform = new Transform(doc)
  const from = clamp(Math.min(range.from, range.to), doc)
  const to = clamp(Math.max(range.from, range.to), doc)
  const mark = doc.type.schema.mark('comment', { threadId: id })
  const runs: Range[] = []
  const carriers: { node: Node; pos: number }[] = []
  const pieces = new Map<Node | null, number>()
  let holdsText = false
  doc.nodesBetween(from, to, (node, pos, parent) => {
    const end = pos + node.nodeSize
    holdsText ||= node.isText
    if (node.isText && isFull(node)) return true
    if (node.isInline && !(node.isText && runs.at(-1)?.to === pos)) {
      const count = (pieces.get(parent) ?? 0) + 1
      if (count > piecesInBlock) return false
      pieces.set(parent, count)
    }
    if (node.isText) join(runs, { from: Math.max(from, pos), to: Math.min(to, end) }, 0)
    else if (node.isLeaf && pos >= from && end <= to) carriers.push({ node, pos })
    return true
  })
  const $from = doc.resolve(from)
  if (!holdsText && carriers.length === 0 && $from.parent.isTextblock) {
    carriers.push({ node: $from.parent, pos: $from.before() })
  }
  for (const run of runs) transform.addMark(run.from, run.to, mark)
  for (const { node, pos } of carriers) addThread(transform, node, pos, id)
  return transform
}

function isFull({ marks }: Node): boolean {
  return marks.filter(({ type }) => type.name === 'comment').length >= threadsOnText
}

function clamp(pos: number, doc: Node): number {
  return Math.max(0, Math.min(pos, doc.content.size))
}

function addThread(transform: Transform, node: Node, pos: number, id: string): void {
  const threads = readThreads(node.attrs.threads)
  if (!('threads' in node.attrs) || threads.includes(id)) return
  const more = writeThreads([...threads, id])
  // One too many would make all of them unreadable.
  if (readThreads(more).includes(id)) transform.setNodeAttribute(pos, 'threads', more)
}

/** Takes the thread's mark and attribute away wherever they stand in `doc`. No step moves a position. */
export function unmarkThread(doc: Node, id: string): Transform {
  const transform = new Transform(doc)
  const mark = doc.type.schema.mark('comment', { threadId: id })
  const runs: Range[] = []
  doc.descendants((node, pos) => {
    if (node.isText && mark.isInSet(node.marks)) join(runs, { from: pos, to: pos + node.nodeSize }, 0)
    const threads = readThreads(node.attrs.threads)
    if (!threads.includes(id)) return
    transform.setNodeAttribute(pos, 'threads', writeThreads(threads.filter((each) => each !== id)))
  })
  for (const run of runs) transform.removeMark(run.from, run.to, mark)
  return transform
}

/**
 * Where each thread stands in `doc`, by its id: ranges in document order, those that touch joined into one. A text
 * block that carries a thread itself counts with its content, any other node as a whole. A thread that stands nowhere
 * is missing.
 */
export function findThreadRanges(doc: Node): Map<string, Range[]> {
  const ranges = new Map<string, Range[]>()
  doc.forEach((node, pos) => {
    for (const place of placesIn(node)) {
      const range = { from: pos + place.from, to: pos + place.to }
      const known = ranges.get(place.id)
      if (known) join(known, range, 0)
      else ranges.set(place.id, [range])
    }
  })
  return ranges
}

type Place = Range & { id: string }

const nowhere: readonly Place[] = []
const known = new WeakMap<Node, readonly Place[]>()

// Where threads stand in a node, from its own beginning. Kept for each node: a change of the document leaves most of
// them as they were.
function placesIn(node: Node): readonly Place[] {
  if (node.isText && node.marks.length === 0) return nowhere
  const cached = known.get(node)
  if (cached) return cached
  const places = collectPlaces(node)
  known.set(node, places)
  return places
}

function collectPlaces(node: Node): readonly Place[] {
  const own = node.isTextblock ? { from: 1, to: 1 + node.content.size } : { from: 0, to: node.nodeSize }
  const places = readThreads(node.attrs.threads).map((id) => ({ id, ...own }))
  for (const mark of node.marks) {
    const { threadId } = mark.attrs
    if (mark.type.name === 'comment' && typeof threadId === 'string') places.push({ id: threadId, ...own })
  }
  node.forEach((child, offset) => {
    const start = offset + 1
    for (const { id, from, to } of placesIn(child)) places.push({ id, from: start + from, to: start + to })
  })
  return places.length === 0 ? nowhere : places
}

/**
 * The one range that a thread's ranges (as `findThreadRanges` gives them) stand for: from the first to the last of
 * those that are at most a few words apart, so that text which others typed in between belongs to it, and a copy
 * elsewhere doesn't. `undefined` for none.
 */
export function anchorOf(ranges: readonly Range[]): Range | undefined {
  const joined: Range[] = []
  for (const range of ranges) join(joined, range, longestGap)
  return joined[0]
}

function join(ranges: Range[], range: Range, gap: number): void {
  const last = ranges.at(-1)
  if (last && range.from <= last.to + gap) last.to = Math.max(last.to, range.to)
  else ranges.push({ ...range })
}
