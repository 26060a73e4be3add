import type { Node } from 'prosemirror-model'
import { atomText, type Block, isVisible, type Segment } from '../document/blocks.ts'
import type { DocumentView } from '../document/document-view.ts'

type Piece = { at: number; length: number; offset: number; atom: Node | undefined }

export type { Segment } from '../document/blocks.ts'

class PlacedSegment implements Segment {
  readonly block: Block
  readonly node: Node
  readonly text: string
  readonly #offset: number

  constructor(block: Block, node: Node, offset: number, text = piecesOf(node).text) {
    this.block = block
    this.node = node
    this.text = text
    this.#offset = offset
  }

  get start(): number {
    return this.block.pos + this.#offset
  }
}

/** The segments of a block; a leaf block has none. A search within one segment never crosses the border of a cell. */
export function segmentsOf(block: Block): readonly Segment[] {
  return (block.segments ??= listSegments(block))
}

function listSegments(block: Block): Segment[] {
  if (block.kind === 'leaf') return []
  if (block.kind === 'text') return [new PlacedSegment(block, block.node, 1)]
  const segments: Segment[] = []
  block.node.descendants((node, pos) => {
    if (!isVisible(node)) return false
    if (!node.isTextblock) return true
    segments.push(new PlacedSegment(block, node, pos + 2))
    return false
  })
  return segments
}

const listed = new WeakMap<DocumentView, readonly Segment[]>()

/** The searched segments of a block: without the text of the run's own request. */
export function searchedIn(block: Block, { request }: DocumentView): readonly Segment[] {
  const segments = segmentsOf(block)
  return request === undefined ? segments : segments.map((segment) => withoutRequest(segment, request))
}

/** Whether a text block contains the run's own request. */
export function holdsRequest(textBlock: Node, { request }: DocumentView): boolean {
  return request !== undefined && mentionOf(request, textBlock) !== undefined
}

// If the mention follows its text, the extent of the request is unknown: all the text counts as the request.
function withoutRequest(segment: Segment, request: string): Segment {
  const { block, node, text, start } = segment
  const mention = mentionOf(request, node)
  if (!mention) return segment
  const isLast = text.slice(mention.at + mention.length).trim() === ''
  return new PlacedSegment(block, node, start - block.pos, text.slice(0, isLast ? 0 : mention.at))
}

function mentionOf(request: string, textBlock: Node): Piece | undefined {
  return piecesOf(textBlock).pieces.find(
    ({ atom }) => atom?.type.name === 'mention' && atom.attrs.requestId === request,
  )
}

/** The searched segments of a document in order; listed once for each view. */
export function allSegments(view: DocumentView): readonly Segment[] {
  const known = listed.get(view)
  if (known) return known
  const segments: Segment[] = []
  for (const block of view.blocks) for (const segment of searchedIn(block, view)) segments.push(segment)
  listed.set(view, segments)
  return segments
}

const known = new WeakMap<Node, { text: string; pieces: Piece[] }>()

function piecesOf(node: Node): { text: string; pieces: Piece[] } {
  const cached = known.get(node)
  if (cached) return cached
  const pieces: Piece[] = []
  let text = ''
  node.forEach((child, offset) => {
    if (!isVisible(child)) return
    const part = child.isText ? (child.text ?? '') : atomText(child)
    pieces.push({ at: text.length, length: part.length, offset, atom: child.isText ? undefined : child })
    text += part
  })
  const made = { text, pieces }
  known.set(node, made)
  return made
}

/** The atom that contains `offset` of a segment's text, with its bounds in that text. */
export function atomAround(segment: Segment, offset: number): { from: number; to: number; node: Node } | undefined {
  const piece = piecesOf(segment.node).pieces.find((each) => each.at < offset && offset < each.at + each.length)
  return piece?.atom && { from: piece.at, to: piece.at + piece.length, node: piece.atom }
}

/** The mention that ends at `offset` of a segment's text, with its bounds in that text. */
export function mentionEndingAt(segment: Segment, offset: number): { from: number; to: number } | undefined {
  const piece = piecesOf(segment.node).pieces.find((each) => each.at + each.length === offset)
  return piece?.atom?.type.name === 'mention' ? { from: piece.at, to: offset } : undefined
}

/**
 * The ProseMirror position of an offset in a segment's text: directly before the character there, after any hidden text
 * in between. Inside an atom: the position before it.
 */
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

/**
 * The ProseMirror position directly after the character that ends at an offset, before any hidden text that follows it.
 */
export function endPositionAt(segment: Segment, offset: number): number {
  const piece = piecesOf(segment.node).pieces.find((each) => each.at < offset && offset <= each.at + each.length)
  if (!piece) return positionAt(segment, offset)
  const start = segment.start + piece.offset
  if (!piece.atom) return start + offset - piece.at
  return offset === piece.at + piece.length ? start + piece.atom.nodeSize : start
}

/**
 * The ProseMirror ranges of the visible text from `from` to `to` of a segment, in order: one, unless text that
 * suggested changes delete lies in between. Atoms are included only as a whole.
 */
export function visibleRanges(segment: Segment, from: number, to: number): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  for (const piece of piecesOf(segment.node).pieces) {
    const first = Math.max(from, piece.at)
    const last = Math.min(to, piece.at + piece.length)
    if (first >= last) continue
    const range = { from: positionAt(segment, first), to: endPositionAt(segment, last) }
    if (range.from >= range.to) continue
    const before = ranges.at(-1)
    if (before?.to === range.from) before.to = range.to
    else ranges.push(range)
  }
  return ranges
}
