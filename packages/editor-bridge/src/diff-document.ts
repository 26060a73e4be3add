import { alignEnds, diffText, heaviestPairs, type Pair } from '@copydesk/schema'
import { type Mark, type Node, Fragment, Slice } from 'prosemirror-model'
import { AddMarkStep, RemoveMarkStep, ReplaceStep, Transform } from 'prosemirror-transform'

/**
 * A transform from one document to another of the same schema whose steps change only the differences: words, marks,
 * attributes, whole blocks. Positions in other content, such as a person's cursor, are mapped without loss.
 */
export function diffDocument(before: Node, after: Node): Transform {
  const transform = new Transform(before)
  try {
    reviseChildren(transform, before, after, 0)
    if (transform.doc.eq(after)) return transform
  } catch {
    // A state between two steps doesn't fit the schema: the whole content is replaced at once.
  }
  return replaceDifference(before, after)
}

function replaceDifference(before: Node, after: Node): Transform {
  const transform = new Transform(before)
  const start = before.content.findDiffStart(after.content)
  const end = before.content.findDiffEnd(after.content)
  if (start === null || end === null) return transform
  // Repeated content makes the two ends overlap.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  return transform.replace(start, end.a + overlap, after.slice(start, end.b + overlap))
}

// From the last child to the first, so that the positions of those before stay valid.
function reviseChildren(transform: Transform, old: Node, next: Node, start: number): void {
  const pairs = alignEnds(old.children, next.children, (a, b) => a.eq(b), alignBlocks)
  const starts = startsOf(old, start)
  let [oldEnd, newEnd] = [old.childCount, next.childCount]
  for (const [i, j] of [...pairs.toReversed(), [-1, -1] as const]) {
    const [from, to] = [starts[i + 1] ?? start, starts[oldEnd] ?? start]
    replace(transform, from, to, Fragment.from(next.children.slice(j + 1, newEnd)))
    if (i >= 0) reviseNode(transform, old.child(i), next.child(j), starts[i] ?? start)
    oldEnd = i
    newEnd = j
  }
}

function startsOf(parent: Node, start: number): number[] {
  const starts = [start]
  let end = start
  for (const child of parent.children) starts.push((end += child.nodeSize))
  return starts
}

function replace(transform: Transform, from: number, to: number, content: Fragment): void {
  if (from !== to || content.size > 0) transform.step(new ReplaceStep(from, to, new Slice(content, 0, 0)))
}

const maxPairs = 40_000

function alignBlocks(olds: readonly Node[], news: readonly Node[]): Pair[] {
  if (olds.length === news.length && olds.every((node, index) => canRevise(node, news[index]))) {
    return olds.map((_, index) => [index, index] as const)
  }
  return olds.length * news.length > maxPairs ? [] : heaviestPairs(olds, news, likeness)
}

function canRevise(old: Node, next: Node | undefined): boolean {
  return next !== undefined && old.type === next.type && sameMarks(old.marks, next.marks) && !(old.isLeaf && old.isText)
}

// Blocks are paired if they begin or end alike; pairs of equal blocks always outweigh the others.
function likeness(old: Node, next: Node): number {
  if (!canRevise(old, next)) return 0
  if (old.eq(next)) return 2
  const [a, b] = [old.textContent, next.textContent]
  const length = Math.min(a.length, b.length)
  let first = 0
  while (first < length && a[first] === b[first]) first++
  let last = 0
  while (last < length - first && a.at(-1 - last) === b.at(-1 - last)) last++
  const shared = (first + last) / Math.max(a.length, b.length, 1)
  return shared > 0.4 ? shared : 0
}

function reviseNode(transform: Transform, old: Node, next: Node, pos: number): void {
  if (old.eq(next)) return
  for (const [name, value] of Object.entries(next.attrs)) {
    if (JSON.stringify(old.attrs[name]) !== JSON.stringify(value)) transform.setNodeAttribute(pos, name, value)
  }
  if (!old.inlineContent) reviseChildren(transform, old, next, pos + 1)
  else reviseInline(transform, old, next, pos + 1)
}

function reviseInline(transform: Transform, old: Node, next: Node, start: number): void {
  const [before, after] = [lineOf(old), lineOf(next)]
  if (!before || !after) return replace(transform, start, start + old.content.size, next.content)
  for (const { from, to, at, end } of diffText(before, after).toReversed()) {
    replace(transform, start + from, start + to, next.content.cut(at, end))
  }
  const revised = transform.doc.nodeAt(start - 1)
  if (revised) reviseMarks(transform, revised, next, start)
}

/** The text of a block for comparison; undefined if it has inline nodes with content of their own. */
function lineOf(block: Node): { text: string; keys: string[] } | undefined {
  let text = ''
  const keys: string[] = []
  for (const child of block.children) {
    if (!child.isText && child.nodeSize !== 1) return undefined
    const piece = child.text ?? '\ufffc'
    const key = child.isText ? '' : JSON.stringify([child.type.name, child.attrs])
    text += piece
    for (let unit = 0; unit < piece.length; unit++) keys.push(key)
  }
  return { text, keys }
}

type Piece = { from: number; to: number; marks: readonly Mark[] }

// Both have the same text and atoms here.
function reviseMarks(transform: Transform, old: Node, next: Node, start: number): void {
  const news = piecesOf(next)
  for (const { from, to, marks } of piecesOf(old)) {
    for (const piece of news) {
      const [first, last] = [start + Math.max(from, piece.from), start + Math.min(to, piece.to)]
      if (first >= last || sameMarks(marks, piece.marks)) continue
      const [gone, added] = [without(marks, piece.marks), without(piece.marks, marks)]
      for (const mark of gone) transform.step(new RemoveMarkStep(first, last, mark))
      for (const mark of added) transform.step(new AddMarkStep(first, last, mark))
    }
  }
}

function piecesOf(block: Node): Piece[] {
  const pieces: Piece[] = []
  block.forEach((node, offset) => {
    pieces.push({ from: offset, to: offset + node.nodeSize, marks: node.marks })
  })
  return pieces
}

function without(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
  return marks.filter((mark) => !mark.isInSet(others))
}

function sameMarks(marks: readonly Mark[], others: readonly Mark[]): boolean {
  return marks.length === others.length && without(marks, others).length === 0
}
