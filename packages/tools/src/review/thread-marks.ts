import { readThreads, writeThreads } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import type { Range } from '../document/changed-ranges.ts'

const longestGap = 64
/**
 * Maximum number of thread marks on one character; each adds work for every reader. Suggested changes count separately.
 */
const threadsOnText = 50
/** Maximum number of text ranges and inline atoms that a thread marks in one block: each mark step copies the block. */
const piecesInBlock = 200

/**
 * Marks ranges of `doc`, several if cells are selected, as the text of the thread `id`: text by the `comment` mark,
 * inline atoms and leaf blocks by their `threads` attribute, since Yjs keeps no marks on them; a range without content
 * by the attribute of the text block around it. In a block with very many pieces only the first are marked. Content
 * that already has the thread's mark is unchanged. Positions stay valid. A range is clipped to the document; if there
 * is nothing to mark, or the content already holds the maximum of threads, the transform has no steps.
 */
export function markThread(doc: Node, id: string, ...ranges: readonly Range[]): Transform {
  const transform = new Transform(doc)
  for (const range of ranges) markRange(transform, id, range)
  return transform
}

function markRange(transform: Transform, id: string, range: Range): void {
  const { doc } = transform
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
  // One id above the limit would make the whole attribute unreadable.
  if (readThreads(more).includes(id)) transform.setNodeAttribute(pos, 'threads', more)
}

/** Removes the thread's mark and attribute everywhere in `doc`. Positions stay valid. */
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
 * The ranges of each thread in `doc`, by its id, in document order, adjacent ranges joined into one. A text block with
 * a thread attribute counts with its content, any other node as a whole. A thread without ranges is missing.
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

// The ranges of threads in a node, relative to its beginning. Cached for each node, because most nodes are unchanged
// after a change of the document.
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
 * The one range of a thread, from its ranges (as returned by `findThreadRanges`): from the first to the last of those
 * that are at most a few words apart, so that text typed by others in between is included, but a copy elsewhere is not.
 * `undefined` for no ranges.
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
