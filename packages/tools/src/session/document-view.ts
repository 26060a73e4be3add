import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { type Block, blocksOfChild, blockText, type Place } from './blocks.ts'

/**
 * The document at one moment: valid until the next view of it is made. `blocks` and the look-ups are made when they are
 * first asked for.
 */
export type DocumentView = {
  readonly doc: Node
  readonly blocks: readonly Block[]
  /** The frontmatter's YAML without its fences; null if there is none. */
  readonly frontmatter: string | null
  /** The block whose Y type has this key (`typeKey`). */
  blockOfType(key: string): Block | undefined
  /** The blocks with exactly this text. */
  blocksWithText(text: string): readonly Block[]
  /** The block that holds a ProseMirror position; `undefined` between blocks. */
  blockAt(pos: number): Block | undefined
}

/** The identity of a Y type as a string: the id of the item that holds it. */
export function typeKey(type: Y.XmlElement | undefined): string | undefined {
  const id = type?._item?.id
  return id && `${id.client}:${id.clock}`
}

type Listed = { node: Node; place: Place; blocks: readonly Block[] }

/**
 * The blocks of each child of a fragment as they were last listed, so that the next view lists anew only what has changed. Views that
 * must not move while others are made take a cache of their own.
 */
export type BlockCache = { types: readonly Y.XmlElement[]; listed: (Listed | undefined)[] }

/** A cache in which nothing has been listed. */
export function createBlockCache(): BlockCache {
  return { types: [], listed: [] }
}

/** A view of `doc`, which must be what a fragment with these children reads as now. */
export function createDocumentView(doc: Node, { types, ydoc, frontmatter, cache }: ViewSource): DocumentView {
  let blocks: readonly Block[] | undefined
  let byType: Map<Y.XmlElement, Block> | undefined
  const list = (): readonly Block[] => (blocks ??= listBlocks(doc, types, cache))
  return {
    doc,
    frontmatter,
    get blocks() {
      return list()
    },
    blockOfType(key) {
      const type = typeOfKey(key, ydoc)
      byType ??= new Map(list().flatMap((block) => (block.type ? [[block.type, block] as const] : [])))
      return type && byType.get(type)
    },
    blocksWithText: (text) => list().filter((block) => blockText(block.node) === text),
    blockAt: (pos) => findBlock(list(), pos),
  }
}

/** What a view is made from besides the document itself. */
export type ViewSource = {
  /** The children of the fragment. */
  types: readonly Y.XmlElement[]
  ydoc: Y.Doc
  frontmatter: string | null
  cache: BlockCache
}

function listBlocks(doc: Node, types: readonly Y.XmlElement[], cache: BlockCache): Block[] {
  if (cache.types !== types) alignCache(cache, types)
  const blocks: Block[] = []
  const { listed } = cache
  let pos = 0
  doc.content.content.forEach((node, child) => {
    let known = listed[child]
    if (known?.node === node) {
      known.place.pos = pos
      known.place.index = blocks.length
    } else {
      const place = { pos, index: blocks.length }
      known = { node, place, blocks: blocksOfChild(node, place, types[child]) }
      listed[child] = known
    }
    for (const block of known.blocks) blocks.push(block)
    pos += node.nodeSize
  })
  return blocks
}

function alignCache(cache: BlockCache, types: readonly Y.XmlElement[]): void {
  const known = new Map(cache.types.map((type, index) => [type, cache.listed[index]]))
  cache.listed = types.map((type) => known.get(type))
  cache.types = types
}

function typeOfKey(key: string, doc: Y.Doc): Y.XmlElement | undefined {
  const [client = Number.NaN, clock = Number.NaN] = key.split(':').map(Number)
  const structs = doc.store.clients.get(client)
  const last = structs?.at(-1)
  if (!structs || !last || !(clock >= 0) || clock >= last.id.clock + last.length) return undefined
  const struct = structs[Y.findIndexSS(structs, clock)]
  const type = struct instanceof Y.Item && struct.content instanceof Y.ContentType ? struct.content.type : undefined
  return type instanceof Y.XmlElement ? type : undefined
}

function findBlock(blocks: readonly Block[], pos: number): Block | undefined {
  let low = 0
  let high = blocks.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const block = blocks[middle]
    if (!block) return undefined
    if (pos < block.pos) high = middle - 1
    else if (pos >= block.pos + block.node.nodeSize) low = middle + 1
    else return block
  }
  return undefined
}
