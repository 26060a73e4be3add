import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { type Block, blockText } from './blocks.ts'
import { firstIndex } from './differing.ts'
import type { Child, Outline } from './outline.ts'

/**
 * The document at one moment. Blocks are listed when they are first asked for; their places are those in the view that was asked last,
 * so a view is done with once there is a newer one.
 */
export type DocumentView = {
  readonly doc: Node
  readonly blocks: readonly Block[]
  /** What views of the same document have in common from one moment to the next. */
  readonly outline: object
  /** The position where each child of `doc` begins, and at last where its content ends. */
  readonly starts: readonly number[]
  /** The blocks of the children of `doc` from one index up to another. */
  blocksOf(from: number, to: number): readonly Block[]
  /** The frontmatter's YAML without its fences; null if there is none. */
  readonly frontmatter: string | null
  /** The block whose Y type has this key (`typeKey`). */
  blockOfType(key: string): Block | undefined
  /** The blocks with exactly this text. */
  blocksWithText(text: string): readonly Block[]
  /** The block that holds a ProseMirror position; `undefined` between blocks. */
  blockAt(pos: number): Block | undefined
  /** The child of `doc` that holds a position; at the border of two the one that begins there, at the end none. */
  childAt(pos: number): Child | undefined
  /** The child of the fragment that is a Y type or holds it, and where it begins in `doc`; `undefined` if there is none. */
  childOf(type: object): { type: Y.XmlElement; position: number } | undefined
}

/** The identity of a Y type as a string: the id of the item that holds it. */
export function typeKey(type: Y.XmlElement | undefined): string | undefined {
  const id = type?._item?.id
  return id && `${id.client}:${id.clock}`
}

/** A view of `doc`, which must be what a fragment with these children reads as now. Views that must not move while others are made take an outline of their own. */
export function createDocumentView(doc: Node, { types, ydoc, frontmatter, outline }: ViewSource): DocumentView {
  const current = (): Outline => {
    outline.update(doc, types)
    return outline
  }
  return {
    doc,
    frontmatter,
    outline,
    get blocks() {
      return current().blocks
    },
    get starts() {
      return current().starts
    },
    blocksOf: (from, to) => current().blocksOf(from, to),
    blockOfType(key) {
      const type = typeOfKey(key, ydoc)
      const top = type && topOf(type)
      const child = top && current().indexOf(top)
      return child === undefined ? undefined : outline.blocksOf(child, child + 1).find((block) => block.type === type)
    },
    blocksWithText: (text) => current().blocks.filter((block) => blockText(block.node) === text),
    blockAt(pos) {
      const child = current().childAt(pos)?.index
      return child === undefined ? undefined : findBlock(outline.blocksOf(child, child + 1), pos)
    },
    childAt: (pos) => current().childAt(pos),
    childOf(type) {
      const top = topOf(type)
      const index = top && current().indexOf(top)
      const position = index === undefined ? undefined : outline.starts[index]
      return top && position !== undefined ? { type: top, position } : undefined
    },
  }
}

/** What a view is made from besides the document itself. */
export type ViewSource = {
  /** The children of the fragment. */
  types: readonly Y.XmlElement[]
  ydoc: Y.Doc
  frontmatter: string | null
  outline: Outline
}

// The outermost element that is a Y type or holds it.
function topOf(type: object): Y.XmlElement | undefined {
  const parent = type instanceof Y.AbstractType ? type._item?.parent : undefined
  const outer = parent ? topOf(parent) : undefined
  return outer ?? (type instanceof Y.XmlElement ? type : undefined)
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
  const block = blocks[firstIndex(blocks, (each) => each.pos + each.node.nodeSize > pos)]
  return block && block.pos <= pos ? block : undefined
}
