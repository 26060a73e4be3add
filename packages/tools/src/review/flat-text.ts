import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import { atomText, blockText, isVisible } from '../document/blocks.ts'
import type { Range } from '../document/changed-ranges.ts'
import { splitsPair } from '../text/surrogates.ts'

/**
 * A text block or leaf block: `at` is where its text begins in the flat text, `pos` where its content (or the leaf)
 * begins.
 */
type Line = { at: number; length: number; pos: number; node: Node }
type Piece = { at: number; length: number; pos: number; node: Node }

/**
 * The text of a document in one string, with all suggested changes accepted: a line for every text block and leaf
 * block, atoms in their text form. Offsets refer to `text`, positions to the ProseMirror document.
 */
export type FlatText = {
  readonly text: string
  /** The offsets that a range of positions covers; both are equal if it holds no text. */
  offsetsOf(range: Range): Range
  /**
   * The positions of a piece of text; `undefined` if it begins or ends inside an atom or a surrogate pair, or is empty.
   */
  positionsOf(offsets: Range): Range | undefined
}

const known = new WeakMap<Node, FlatText>()

/** The flat text of `doc`; cached for each document. */
export function flatTextOf(doc: Node): FlatText {
  const cached = known.get(doc)
  if (cached) return cached
  const made = flatTextAround(doc, { from: 0, to: doc.content.size })
  known.set(doc, made)
  return made
}

/** The flat text of the blocks that a range overlaps; the cost depends on those alone. */
export function flatTextAround(doc: Node, range: Range): FlatText {
  const { text, lines } = flatten(doc, range)
  return {
    text,
    offsetsOf({ from, to }) {
      const start = offsetAfter(lines, from) ?? text.length
      return { from: start, to: Math.max(start, offsetBefore(lines, to) ?? 0) }
    },
    positionsOf({ from, to }) {
      if (from >= to || splitsPair(text, from) || splitsPair(text, to)) return undefined
      const start = startAt(lines, from)
      const end = endAt(lines, to)
      return start === undefined || end === undefined ? undefined : { from: start, to: end }
    },
  }
}

function flatten(doc: Node, range: Range): { text: string; lines: Line[] } {
  const lines: Line[] = []
  const texts: string[] = []
  let at = 0
  doc.nodesBetween(range.from, range.to, (node, pos) => {
    if (!isVisible(node)) return false
    if (!node.isTextblock && !node.isLeaf) return true
    const text = blockText(node)
    lines.push({ at, length: text.length, pos: node.isLeaf ? pos : pos + 1, node })
    texts.push(text)
    at += text.length + 1
    return false
  })
  return { text: texts.join('\n'), lines }
}

const piecesOfBlock = new WeakMap<Node, Piece[]>()

// The pieces of a line, with offsets and positions relative to its beginning.
function piecesOf({ node }: Line): Piece[] {
  const cached = piecesOfBlock.get(node)
  if (cached) return cached
  const pieces: Piece[] = []
  let at = 0
  const add = (child: Node, pos: number): void => {
    const { length } = child.text ?? atomText(child)
    if (length > 0) pieces.push({ at, length, pos, node: child })
    at += length
  }
  if (node.isLeaf) add(node, 0)
  else
    node.forEach((child, offset) => {
      if (isVisible(child)) add(child, offset)
    })
  piecesOfBlock.set(node, pieces)
  return pieces
}

// The offset of the first text at or after a position.
function offsetAfter(lines: readonly Line[], pos: number): number | undefined {
  for (let index = firstIndex(lines, (line) => lineEnd(line) > pos); ; index++) {
    const line = lines[index]
    if (!line) return undefined
    const piece = piecesOf(line).find((each) => line.pos + each.pos + each.node.nodeSize > pos)
    if (!piece) continue
    const within = piece.node.isText ? Math.max(0, pos - line.pos - piece.pos) : 0
    return line.at + piece.at + within
  }
}

// The offset of the end of the last text before a position. An atom that a range overlaps is included as a whole.
function offsetBefore(lines: readonly Line[], pos: number): number | undefined {
  for (let index = firstIndex(lines, (line) => line.pos >= pos) - 1; ; index--) {
    const line = lines[index]
    if (!line) return undefined
    const piece = piecesOf(line).findLast((each) => line.pos + each.pos < pos)
    if (!piece) continue
    const within = piece.node.isText ? Math.min(piece.length, pos - line.pos - piece.pos) : piece.length
    return line.at + piece.at + within
  }
}

function lineEnd({ pos, node }: Line): number {
  return pos + (node.isLeaf ? node.nodeSize : node.content.size)
}

function startAt(lines: readonly Line[], offset: number): number | undefined {
  const line = lines[firstIndex(lines, (each) => each.at + each.length > offset)]
  if (!line) return undefined
  const within = Math.max(0, offset - line.at)
  const piece = piecesOf(line).find((each) => each.at + each.length > within)
  if (!piece || (piece.at < within && !piece.node.isText)) return undefined
  return line.pos + piece.pos + within - piece.at
}

function endAt(lines: readonly Line[], offset: number): number | undefined {
  const line = lines[firstIndex(lines, (each) => each.at >= offset) - 1]
  if (!line) return undefined
  const within = Math.min(line.length, offset - line.at)
  const piece = piecesOf(line).findLast((each) => each.at < within)
  if (!piece) return line.pos
  if (within >= piece.at + piece.length) return line.pos + piece.pos + piece.node.nodeSize
  return piece.node.isText ? line.pos + piece.pos + within - piece.at : undefined
}
