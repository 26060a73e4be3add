import { readSuggestions, readThreads } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { reviewClasses } from './review-classes.ts'

/** A range of the document in ProseMirror positions. */
export type Stretch = { from: number; to: number }

/**
 * The anchors of comments and suggested changes: by id, in document order, from the first to the last character of
 * each. `boxes` are the nodes with their own node views, which don't render the attributes of a review.
 */
export type Anchors = {
  changes: ReadonlyMap<string, Stretch>
  threads: ReadonlyMap<string, Stretch>
  boxes: readonly (Stretch & { attributes: Record<string, string> })[]
}

type Found = Stretch & ({ kind: 'change' | 'thread'; id: string } | { kind: 'box'; attributes: Record<string, string> })

// Nodes with a node view (their own or TipTap's) don't render the attributes that the schema gives them.
const drawsItself = new Set(['mention', 'image', 'inlineMath', 'blockMath', 'taskItem', 'table'])
export const changeMarks: ReadonlySet<string> = new Set(['insertion', 'deletion', 'formattingChange'])
const blocks = new WeakMap<Node, readonly Found[]>()
const none: readonly Found[] = []

// Only blocks with anchors are listed. A key press changes one block: the others are reused from the document before.
type Placed = { index: number; offset: number; found: readonly Found[] }
type Read = { placed: readonly Placed[]; anchors: Anchors }
const documents = new WeakMap<Node, Read>()
const nothing: Read = { placed: [], anchors: { changes: new Map(), threads: new Map(), boxes: [] } }
let latest: WeakRef<Node> | undefined

/** Reads the anchors of a document. An unchanged block is read only once, so that a key press costs little. */
export function anchorsOf(doc: Node): Anchors {
  const known = documents.get(doc)
  if (known) return known.anchors
  const placed = place(doc, latest?.deref())
  const read = placed.length === 0 ? nothing : { placed, anchors: gather(placed) }
  documents.set(doc, read)
  latest = new WeakRef(doc)
  return read.anchors
}

function place(doc: Node, before: Node | undefined): readonly Placed[] {
  const known = before && documents.get(before)
  const { content: blocksNow, size } = doc.content
  const blocksBefore = known ? before.content.content : []
  const shortest = Math.min(blocksNow.length, blocksBefore.length)
  const longer = blocksNow.length - blocksBefore.length
  let start = 0
  while (start < shortest && blocksNow[start] === blocksBefore[start]) start += 1
  let end = blocksNow.length
  while (end > start && end - longer > start && blocksNow[end - 1] === blocksBefore[end - longer - 1]) end -= 1
  const further = size - (known ? before.content.size : 0)
  return [
    ...(known?.placed.filter(({ index }) => index < start) ?? []),
    ...readBlocks(blocksNow, start, end),
    ...(known?.placed ?? [])
      .filter(({ index }) => index >= end - longer)
      .map(({ index, offset, found }) => ({ index: index + longer, offset: offset + further, found })),
  ]
}

function readBlocks(content: readonly Node[], start: number, end: number): Placed[] {
  const placed: Placed[] = []
  let offset = 0
  content.slice(0, end).forEach((block, index) => {
    const found = index < start ? none : foundIn(block)
    if (found.length > 0) placed.push({ index, offset, found })
    offset += block.nodeSize
  })
  return placed
}

function gather(placed: readonly Placed[]): Anchors {
  const changes = new Map<string, Stretch>()
  const threads = new Map<string, Stretch>()
  const boxes: (Stretch & { attributes: Record<string, string> })[] = []
  for (const { offset, found: inBlock } of placed) {
    for (const found of inBlock) {
      const stretch = { from: offset + found.from, to: offset + found.to }
      if (found.kind === 'box') boxes.push({ ...stretch, attributes: found.attributes })
      else extend(found.kind === 'change' ? changes : threads, found.id, stretch)
    }
  }
  return { changes, threads, boxes }
}

function extend(map: Map<string, Stretch>, id: string, { from, to }: Stretch): void {
  const before = map.get(id)
  map.set(id, before ? { from: Math.min(before.from, from), to: Math.max(before.to, to) } : { from, to })
}

function foundIn(block: Node): readonly Found[] {
  const known = blocks.get(block)
  if (known) return known
  const found: Found[] = []
  collect(block, 0, found)
  block.descendants((node, position) => collect(node, position + 1, found))
  const kept = found.length === 0 ? none : found
  blocks.set(block, kept)
  return kept
}

function collect(node: Node, from: number, found: Found[]): void {
  // Most nodes: nothing is read from them.
  if (node.marks.length === 0 && !node.attrs.suggestion && !node.attrs.threads) return
  const stretch = { from, to: from + node.nodeSize }
  for (const id of changesOn(node)) found.push({ ...stretch, kind: 'change', id })
  for (const id of threadsOn(node)) found.push({ ...stretch, kind: 'thread', id })
  if (node.isText || !drawsItself.has(node.type.name)) return
  const attributes = {
    ...(typeof node.attrs.suggestion === 'string' ? { 'data-suggestion': node.attrs.suggestion } : {}),
    ...(typeof node.attrs.threads === 'string' ? { 'data-threads': node.attrs.threads } : {}),
  }
  if (Object.keys(attributes).length === 0) return
  const classes = reviewClasses(node.attrs)
  found.push({ ...stretch, kind: 'box', attributes: classes === '' ? attributes : { ...attributes, class: classes } })
}

/** The ids of suggested changes on a node itself, in its marks or its attribute. */
export function changesOn(node: Node): string[] {
  const marks = node.marks.flatMap(({ type, attrs }) =>
    changeMarks.has(type.name) && typeof attrs.id === 'string' ? [attrs.id] : [],
  )
  return [...marks, ...readSuggestions(node.attrs.suggestion).map(({ id }) => id)]
}

/** The ids of comment threads on a node itself, in its marks or its attribute. */
export function threadsOn(node: Node): string[] {
  const marks = node.marks.flatMap(({ type, attrs }) =>
    type.name === 'comment' && typeof attrs.threadId === 'string' ? [attrs.threadId] : [],
  )
  return [...marks, ...readThreads(node.attrs.threads)]
}
