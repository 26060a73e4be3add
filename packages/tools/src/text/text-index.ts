import { differing } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { type Block, blockText } from '../document/blocks.ts'
import type { DocumentView } from '../document/document-view.ts'
import { lowerCase } from './folded.ts'
import { normalize } from './normalize.ts'
import { holdsRequest, searchedIn, type Segment, segmentsOf } from './segments.ts'

// A keystroke causes refolding of one chunk; a search tests each chunk once.
const chunkSize = 16

/**
 * The texts of some adjacent children of a document, folded for searching; `raw` is set if folding moves characters.
 */
type Chunk = { count: number; folded?: string; raw?: string }

/** The folded text of a document, kept between its views. */
type TextIndex = { children: readonly Node[]; chunks: Chunk[] }

const indices = new WeakMap<object, TextIndex>()

/** The blocks of a document that may contain `text`, in any case and encoding; chunks without it are skipped. */
export function blocksWith(text: string, view: DocumentView): readonly Block[] {
  const folded = lowerCase(normalize(text).text)
  if (folded === '') return view.blocks
  const raw = lowerCase(text)
  const found: (readonly Block[])[] = []
  let from = 0
  for (const chunk of upToDate(view).chunks) {
    const to = from + chunk.count
    if (mayContain(chunk, folded, raw, () => view.blocksOf(from, to))) found.push(view.blocksOf(from, to))
    from = to
  }
  return found.flat()
}

/** The segments of some part of a document that may contain a text; all of them for an empty text. */
export type SegmentsWith = (text: string) => readonly Segment[]

/** The segments of a document that may contain `text`, in order, without the text of the run's own request. */
export function segmentsWith(text: string, view: DocumentView): readonly Segment[] {
  return blocksWith(text, view).flatMap((block) => searchedIn(block, view))
}

/** The text block of the run's own request, with that text, if it may contain `text`. */
export function requestSegments(text: string, view: DocumentView): readonly Segment[] {
  return blocksWith(text, view).flatMap((block) => segmentsOf(block).filter(({ node }) => holdsRequest(node, view)))
}

function upToDate(view: DocumentView): TextIndex {
  const { children } = view.doc
  const index = indices.get(view.outline) ?? { children: [], chunks: [] }
  indices.set(view.outline, index)
  if (index.children === children) return index
  const { first, oldEnd, newEnd } = differing(index.children, children)
  const isEven = oldEnd === newEnd
  if (isEven) dropChanged(index, children)
  else index.chunks = replaceIn(index.chunks, first, oldEnd, newEnd - first)
  index.children = children
  return index
}

function dropChanged({ chunks, children: known }: TextIndex, children: readonly Node[]): void {
  let from = 0
  for (const [number, { count }] of chunks.entries()) {
    const to = from + count
    for (let index = from; index < to; index++) if (known[index] !== children[index]) chunks[number] = { count }
    from = to
  }
}

// The chunks after the children in an index range were replaced by `count` others: full chunks next to them stay.
function replaceIn(chunks: readonly Chunk[], from: number, to: number, count: number): Chunk[] {
  const before: Chunk[] = []
  const after: Chunk[] = []
  let changed = count
  let start = 0
  for (const chunk of chunks) {
    const end = start + chunk.count
    const isKept = end < from || start > to || (chunk.count >= chunkSize && (end === from || start === to))
    if (isKept) (end <= from ? before : after).push(chunk)
    else changed += Math.max(0, from - start) + Math.max(0, end - Math.max(start, to))
    start = end
  }
  for (; changed > 0; changed -= chunkSize) before.push({ count: Math.min(changed, chunkSize) })
  return [...before, ...after]
}

function mayContain(chunk: Chunk, folded: string, raw: string, blocks: () => readonly Block[]): boolean {
  if (chunk.folded === undefined) fold(chunk, blocks())
  return chunk.folded?.includes(folded) === true || chunk.raw?.includes(raw) === true
}

// Lines are separated, so that no match spans two of them: the lines are searched one by one later.
function fold(chunk: Chunk, blocks: readonly Block[]): void {
  const texts = blocks.flatMap((block) => {
    return block.kind === 'leaf' ? [blockText(block.node)] : segmentsOf(block).map((segment) => segment.text)
  })
  const text = texts.join('\n')
  const { text: normal, isAligned } = normalize(text)
  chunk.folded = lowerCase(normal)
  // Composition can hide parts of a letter that an exact search would find.
  if (!isAligned) chunk.raw = lowerCase(text)
}
