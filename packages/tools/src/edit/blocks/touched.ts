import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import { type Block, isVisible } from '../../document/blocks.ts'

/** The blocks that an operation changes, by their ProseMirror positions in one document. */
export type Touched = {
  has(pos: number): boolean
  /** Whether `node`, which begins at `pos`, contains a touched block. */
  within(node: Node, pos: number): boolean
  /** Whether every visible block in `node`, which begins at `pos`, is touched. */
  covers(node: Node, pos: number): boolean
}

/** The touched blocks; `blocks` in document order. */
export function touchedBlocks(blocks: readonly Block[]): Touched {
  const positions = blocks.map((block) => block.pos)
  const known = new Set(positions)
  const covers = (node: Node, pos: number): boolean => {
    if (node.isTextblock || node.isLeaf || node.type.name === 'tableRow') return known.has(pos)
    let all = true
    node.forEach((child, offset) => {
      if (all && isVisible(child)) all = covers(child, pos + 1 + offset)
    })
    return all
  }
  return {
    has: (pos) => known.has(pos),
    within(node, pos) {
      const first = positions[firstIndex(positions, (each) => each >= pos)]
      return first !== undefined && first < pos + node.nodeSize
    },
    covers,
  }
}
