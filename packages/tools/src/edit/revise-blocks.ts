import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { isVisible } from '../session/blocks.ts'
import { alignNodes } from './align.ts'
import { reviseInline } from './revise-inline.ts'

/** A node and the ProseMirror position before it. */
export type Placed = { node: Node; pos: number }

/**
 * Changes the visible siblings `old` to read as `now`. Equal blocks stay untouched; recognisable blocks are changed
 * inside, down to the characters that differ. `end` is the position for new nodes after the last old one. Works from
 * the end to the start, so positions before the siblings stay valid.
 */
export function reviseSiblings(transform: Transform, old: readonly Placed[], now: readonly Node[], end: number): void {
  const pairs = alignNodes(
    old.map(({ node }) => node),
    now,
  )
  let oldEnd = old.length
  let nowEnd = now.length
  let at = end
  for (const pair of [...pairs.toReversed(), { old: -1, now: -1, isSame: true }]) {
    replaceRun(transform, old.slice(pair.old + 1, oldEnd), now.slice(pair.now + 1, nowEnd), at)
    const before = old[pair.old]
    const after = now[pair.now]
    if (before && after && !pair.isSame) reviseNode(transform, before, after)
    oldEnd = pair.old
    nowEnd = pair.now
    at = before?.pos ?? at
  }
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
  // Nodes that a suggestion has deleted may lie between, and stay.
  for (const { node, pos } of old.slice(1).toReversed()) transform.delete(pos, pos + node.nodeSize)
  if (now.length > 0) transform.replaceWith(first.pos, first.pos + first.node.nodeSize, now)
  else transform.delete(first.pos, first.pos + first.node.nodeSize)
}

function reviseNode(transform: Transform, { node, pos }: Placed, now: Node): void {
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

// Sets the attributes that markdown represents; those of review, and sizes that markdown omits, stay.
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
