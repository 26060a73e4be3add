import type { Node } from 'prosemirror-model'
import { atomText, type Block } from '../session/blocks.ts'

type Piece = { at: number; length: number; offset: number; atom: Node | undefined }

/**
 * The text of one text block (of a row: of one text block in one of its cells) as a search sees it: without marks, atoms
 * as the words they show. `start` is the ProseMirror position where its content begins.
 */
export type Segment = { block: Block; node: Node; start: number; text: string }

/** The segments of a block; a leaf block has none. A search that stays within one never crosses a cell. */
export function segmentsOf(block: Block): Segment[] {
  if (block.kind === 'leaf') return []
  if (block.kind === 'text') return [createSegment(block, block.node, block.pos + 1)]
  const segments: Segment[] = []
  block.node.descendants((node, pos) => {
    if (!node.isTextblock) return true
    segments.push(createSegment(block, node, block.pos + 1 + pos + 1))
    return false
  })
  return segments
}

function createSegment(block: Block, node: Node, start: number): Segment {
  return { block, node, start, text: piecesOf(node).text }
}

const known = new WeakMap<Node, { text: string; pieces: Piece[] }>()

function piecesOf(node: Node): { text: string; pieces: Piece[] } {
  const cached = known.get(node)
  if (cached) return cached
  const pieces: Piece[] = []
  let text = ''
  node.forEach((child, offset) => {
    const part = child.isText ? (child.text ?? '') : atomText(child)
    pieces.push({ at: text.length, length: part.length, offset, atom: child.isText ? undefined : child })
    text += part
  })
  const made = { text, pieces }
  known.set(node, made)
  return made
}

/** The atom that `offset` of a segment's text lies inside of, with its bounds in that text. */
export function atomAround(segment: Segment, offset: number): { from: number; to: number; node: Node } | undefined {
  const piece = piecesOf(segment.node).pieces.find((each) => each.at < offset && offset < each.at + each.length)
  return piece?.atom && { from: piece.at, to: piece.at + piece.length, node: piece.atom }
}

/** The mention that ends at `offset` of a segment's text, with its bounds in that text. */
export function mentionEndingAt(segment: Segment, offset: number): { from: number; to: number } | undefined {
  const piece = piecesOf(segment.node).pieces.find((each) => each.at + each.length === offset)
  return piece?.atom?.type.name === 'mention' ? { from: piece.at, to: offset } : undefined
}

/** The ProseMirror position of an offset in a segment's text. Inside an atom: the position before it. */
export function positionAt(segment: Segment, offset: number): number {
  let position = segment.start
  for (const piece of piecesOf(segment.node).pieces) {
    if (offset < piece.at) break
    const inside = Math.min(offset - piece.at, piece.length)
    position = segment.start + piece.offset
    if (!piece.atom) position += inside
    else if (inside === piece.length) position += piece.atom.nodeSize
  }
  return position
}
