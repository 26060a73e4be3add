import { alignEnds, heaviestPairs, type Pair } from '@copydesk/schema'
import { serializeBlock } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { blockText, isVisible } from '../../document/blocks.ts'
import { reviseInline } from './revise-inline.ts'

/** A node and the ProseMirror position before it. */
export type Placed = { node: Node; pos: number }

/**
 * Changes the visible siblings `old` so that they read as `now`. Equal blocks are kept; in matching blocks only the
 * characters that differ are changed. `end` is the position for new nodes after the last old one. Works from the end to
 * the start, so positions before the siblings stay valid.
 */
export function reviseSiblings(transform: Transform, old: readonly Placed[], now: readonly Node[], end: number): void {
  const [before, after] = [old.map(({ node }) => describe(node)), now.map(describe)]
  let oldEnd = old.length
  let nowEnd = now.length
  let at = end
  for (const [i, j] of [...alignNodes(before, after).toReversed(), [-1, -1] as const]) {
    replaceRun(transform, old.slice(i + 1, oldEnd), now.slice(j + 1, nowEnd), at)
    const [place, node] = [old[i], now[j]]
    if (place && node && before[i]?.markdown !== after[j]?.markdown) reviseNode(transform, place, node)
    oldEnd = i
    nowEnd = j
    at = place?.pos ?? at
  }
}

const maxCells = 40_000
const leastLikeness = 0.35

// Pairs nodes with equal markdown first, and between them nodes of the same kind that share at least a third of their
// words.
function alignNodes(old: readonly Described[], now: readonly Described[]): Pair[] {
  return alignEnds(old, now, isSame, (before, after) => {
    if (before.length * after.length <= maxCells) return heaviestPairs(before, after, likenessOf)
    // Too many nodes for pairwise comparison are paired by index.
    return before.flatMap((node, index): Pair[] => {
      const other = after[index]
      return other && likenessOf(node, other) > 0 ? [[index, index]] : []
    })
  })
}

type Described = { markdown: string; kind: string; words: Map<string, number>; size: number }

function describe(node: Node): Described {
  const words = new Map<string, number>()
  let size = 0
  for (const [word] of blockText(node)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu)) {
    words.set(word, (words.get(word) ?? 0) + 1)
    size++
  }
  return { markdown: serializeBlock(node, { changes: 'accepted' }), kind: kindOf(node), words, size }
}

// A paragraph may become a heading, and a bullet list a numbered one, without a change of content.
function kindOf(node: Node): string {
  if (node.type.name === 'paragraph' || node.type.name === 'heading') return 'prose'
  return node.type.name
}

function isSame(a: Described, b: Described): boolean {
  return a.markdown === b.markdown
}

// From 0 (different blocks) to 2 (the same text).
function likenessOf(a: Described, b: Described): number {
  if (a.kind !== b.kind) return 0
  if (isSame(a, b)) return 2
  let shared = 0
  for (const [word, count] of a.words) shared += Math.min(count, b.words.get(word) ?? 0)
  const share = (2 * shared) / Math.max(1, a.size + b.size)
  return share >= leastLikeness ? share : 0
}
// Without old nodes, new ones are inserted at `at`, before the following content.
function replaceRun(transform: Transform, old: readonly Placed[], now: readonly Node[], at: number): void {
  const [first] = old
  const last = old.at(-1)
  if (!first || !last) {
    if (now.length > 0) transform.insert(at, now)
    return
  }
  const isUnbroken = old.every(
    ({ node, pos }, index) => pos + node.nodeSize === (old[index + 1]?.pos ?? pos + node.nodeSize),
  )
  if (isUnbroken) {
    const to = last.pos + last.node.nodeSize
    if (now.length > 0) transform.replaceWith(first.pos, to, now)
    else transform.delete(first.pos, to)
    return
  }
  // Nodes that a suggestion has deleted may be in between; they are kept.
  for (const { node, pos } of old.slice(1).toReversed()) transform.delete(pos, pos + node.nodeSize)
  if (now.length > 0) transform.replaceWith(first.pos, first.pos + first.node.nodeSize, now)
  else transform.delete(first.pos, first.pos + first.node.nodeSize)
}

/**
 * Changes a node so that it reads as `now`, in place if it is of the same kind; keeps all comments and suggestions on
 * it.
 */
export function reviseNode(transform: Transform, { node, pos }: Placed, now: Node): void {
  const attempt = new Transform(transform.doc)
  try {
    reviseInside(attempt, node, pos, now)
  } catch (error) {
    // If no step between two versions fits the schema, the whole node is replaced.
    if (!doesNotFit(error)) throw error
    transform.replaceWith(pos, pos + node.nodeSize, now)
    return
  }
  for (const step of attempt.steps) transform.step(step)
}

function doesNotFit(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'TransformError')
}

function reviseInside(transform: Transform, node: Node, pos: number, now: Node): void {
  const isTable = node.type.name === 'table'
  if (node.isLeaf || (isTable && !hasSameColumns(node, now))) {
    transform.replaceWith(pos, pos + node.nodeSize, now)
    return
  }
  if (node.isTextblock) reviseInline(transform, pos, node, now.content)
  else if (node.type.name === 'tableRow') reviseCells(transform, node, pos, now)
  else reviseSiblings(transform, visibleChildren(node, pos), now.children, pos + node.nodeSize - 1)
  reviseMarkup(transform, node, pos, now)
}

function visibleChildren(node: Node, pos: number): Placed[] {
  const children: Placed[] = []
  node.forEach((child, offset) => {
    if (isVisible(child)) children.push({ node: child, pos: pos + 1 + offset })
  })
  return children
}

function hasSameColumns(node: Node, now: Node): boolean {
  return node.firstChild?.childCount === now.firstChild?.childCount
}

function reviseCells(transform: Transform, row: Node, pos: number, now: Node): void {
  const cells = visibleChildren(row, pos)
  if (cells.length !== now.childCount) {
    transform.replaceWith(pos + 1, pos + row.nodeSize - 1, now.content)
    return
  }
  for (const [index, { node, pos: at }] of [...cells.entries()].toReversed()) {
    const cell = now.child(index)
    reviseInside(transform, node, at, cell)
  }
}

// Sets the attributes that markdown represents; keeps those of review, and sizes that markdown omits.
function reviseMarkup(transform: Transform, node: Node, pos: number, now: Node): void {
  const kept = ['threads', 'suggestion', 'colwidth', 'colspan', 'rowspan']
  if (node.type !== now.type) {
    transform.setNodeMarkup(pos, now.type, {
      ...now.attrs,
      threads: node.attrs.threads,
      suggestion: node.attrs.suggestion,
    })
    return
  }
  for (const [name, value] of Object.entries(now.attrs)) {
    if (!kept.includes(name) && node.attrs[name] !== value) transform.setNodeAttribute(pos, name, value)
  }
}
