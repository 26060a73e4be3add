import type { Fragment, Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import type { Block } from '../../document/blocks.ts'

/** Whether a node is a list item of any kind. */
export function isItem(node: Node): boolean {
  return node.type.name === 'listItem' || node.type.name === 'taskItem'
}

/**
 * Removes a text or leaf block, and also a list item, list or quote that would become empty. The last block of a
 * document, and the text of an item above its sub-list, are emptied instead, and the result is `emptied`. The block's
 * position must be valid in the current document of `transform`.
 */
export function removeBlock(transform: Transform, block: Block): 'removed' | 'emptied' {
  const $pos = transform.doc.resolve(block.pos)
  let depth = $pos.depth
  while (depth > 0 && $pos.node(depth).childCount === 1) depth--
  // An item must begin with a paragraph: if its paragraph is deleted but a sub-list is kept, an empty paragraph
  // remains.
  const startsItem = depth === $pos.depth && isItem($pos.node(depth)) && $pos.index(depth) === 0
  const isLast = depth === 0 && $pos.node(0).childCount === 1
  const isEmptied = startsItem && $pos.node(depth).child(1).type !== block.node.type
  if (isEmptied) emptyBlock(transform, block)
  else if (isLast) replaceByParagraph(transform)
  else if (depth === $pos.depth) transform.delete(block.pos, block.pos + block.node.nodeSize)
  else transform.delete($pos.before(depth + 1), $pos.after(depth + 1))
  return isEmptied || isLast ? 'emptied' : 'removed'
}

function emptyBlock(transform: Transform, block: Block): void {
  transform.delete(block.pos + 1, block.pos + 1 + block.node.content.size)
}

function replaceByParagraph(transform: Transform): void {
  const { doc } = transform
  transform.replaceWith(0, doc.content.size, doc.type.schema.node('paragraph'))
}

/**
 * Inserts a block of the same kind with this inline content after `block`: a new item after a list item. Returns the
 * position of the new block.
 */
export function insertLikeAfter(transform: Transform, block: Block, content: Fragment): number {
  const $pos = transform.doc.resolve(block.pos)
  const { parent } = $pos
  const { schema } = block.node.type
  if (isItem(parent) && $pos.index() === 0) {
    const item = parent.type.create(null, schema.node('paragraph', null, content))
    transform.insert($pos.after(), item)
    return $pos.after() + 1
  }
  const type = block.node.type.name === 'heading' ? schema.nodes.paragraph : block.node.type
  const pos = block.pos + block.node.nodeSize
  transform.insert(pos, (type ?? block.node.type).create(null, content))
  return pos
}
