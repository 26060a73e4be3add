import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { type Block, blockText, listBlocks } from './blocks.ts'

/**
 * The document at one moment: immutable, valid until the next change. `blocks` and the look-ups are made when they are
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

/** A view of `doc`, which must be what `fragment` reads as now. */
export function createDocumentView(doc: Node, fragment: Y.XmlFragment, frontmatter: string | null): DocumentView {
  let blocks: readonly Block[] | undefined
  let byType: Map<string, Block> | undefined
  const list = (): readonly Block[] => (blocks ??= listBlocks(doc, fragment))
  return {
    doc,
    frontmatter,
    get blocks() {
      return list()
    },
    blockOfType(key) {
      byType ??= new Map(list().flatMap((block) => pairWithKey(block)))
      return byType.get(key)
    },
    blocksWithText: (text) => list().filter((block) => blockText(block.node) === text),
    blockAt: (pos) => findBlock(list(), pos),
  }
}

function pairWithKey(block: Block): [string, Block][] {
  const key = typeKey(block.type)
  return key === undefined ? [] : [[key, block]]
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
