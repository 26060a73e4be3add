import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { Block } from './blocks.ts'
import type { Child, Outline } from './outline.ts'

/**
 * A snapshot of the document. Blocks are listed at first access; their indices and positions are those of the latest
 * view that listed them, so a view must not be used once there is a newer one.
 */
export type DocumentView = {
  readonly doc: Node
  readonly blocks: readonly Block[]
  /** The state that successive views of the same document share. */
  readonly outline: object
  /** The position where each child of `doc` begins, followed by the position where its content ends. */
  readonly starts: readonly number[]
  /** The blocks of the children of `doc` in an index range. */
  blocksOf(from: number, to: number): readonly Block[]
  /** The frontmatter's YAML without its fences; null if there is none. */
  readonly frontmatter: string | null
  /** The block whose Y type has this key (`typeKey`). */
  blockOfType(key: string): Block | undefined
  /** The blocks with exactly this text. */
  blocksWithText(text: string): readonly Block[]
  /** The `requestId` of the run's own request, see `DocumentSessionOptions.request`. */
  readonly request: string | undefined
  /** The block that contains a ProseMirror position; `undefined` between blocks. */
  blockAt(pos: number): Block | undefined
  /** The child of `doc` that contains a position; at the boundary of two children the second, at the end undefined. */
  childAt(pos: number): Child | undefined
  /**
   * The child of the fragment that is or contains a Y type, and its position in `doc`; `undefined` if there is none.
   */
  childOf(type: object): { type: Y.XmlElement; position: number } | undefined
}

/** The identity of a Y type as a string: the id of the item that contains it. */
export function typeKey(type: Y.XmlElement | undefined): string | undefined {
  const id = type?._item?.id
  return id && `${id.client}:${id.clock}`
}

/**
 * Creates a view of `doc`, which must match the current content of a fragment with these children. Views that must stay
 * valid while others are created need a separate outline.
 */
export function createDocumentView(
  doc: Node,
  { types, ydoc, frontmatter, outline, request }: ViewSource,
): DocumentView {
  const current = (): Outline => {
    outline.update(doc, types)
    return outline
  }
  return {
    doc,
    frontmatter,
    outline,
    request,
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
    blocksWithText: (text) => current().blocksWithText(text),
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

/** The sources of a view besides the document itself. */
export type ViewSource = {
  /** The children of the fragment. */
  types: readonly Y.XmlElement[]
  ydoc: Y.Doc
  frontmatter: string | null
  outline: Outline
  request?: string | undefined
}

// The outermost element that is or contains the Y type.
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
