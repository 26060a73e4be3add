import { Fragment, type Node, type ResolvedPos } from 'prosemirror-model'
import { isItem } from '../blocks/block-changes.ts'

/** An insertion position for blocks: `content` at the ProseMirror position `pos`. */
export type BlockPlace = { pos: number; content: Fragment }

/**
 * Decides the insertion position next to the block at `blockPos`, without ever splitting existing blocks. Next to a
 * list item, a list of the same kind becomes new items, and so do plain paragraphs (`asItems`); other content goes next
 * to the whole list if the item is its first or last, else into the item. A quote next to a quoted block joins that
 * quote.
 */
export function placeBlocks(
  doc: Node,
  blockPos: number,
  placement: 'before' | 'after',
  content: Fragment,
  asItems: boolean,
): BlockPlace {
  const $block = doc.resolve(blockPos)
  if ($block.parent.type.name === 'blockquote' && isSingle(content, 'blockquote')) {
    return { pos: beside($block, $block.depth + 1, placement), content: content.child(0).content }
  }
  // `depth` is that of the node next to which the content is inserted; its parent is at depth - 1.
  let depth = $block.depth + 1
  while (depth > 1 && isItem($block.node(depth - 1))) {
    const items = itemsFor(content, $block.node(depth - 2), $block.node(depth - 1), asItems)
    if (items) return { pos: beside($block, depth - 1, placement), content: items }
    if (!isEdge($block, depth - 1, placement)) break
    if (!isEdge($block, depth - 2, placement)) return inMiddle($block, depth, placement, content)
    depth -= 2
  }
  return { pos: beside($block, depth, placement), content }
}

/**
 * Decides the insertion position of a list below the item whose text is at `blockPos`: at the beginning of its list of
 * the same kind, else as a separate list; undefined if the block is not the text of an item or the content is not a
 * list.
 */
export function placeBelowItem(doc: Node, blockPos: number, content: Fragment): BlockPlace | undefined {
  const $block = doc.resolve(blockPos)
  const list = content.childCount === 1 ? content.child(0) : undefined
  if (!list || !isItem($block.parent) || $block.index() > 0 || !list.type.name.endsWith('List')) return undefined
  const pos = $block.pos + ($block.nodeAfter?.nodeSize ?? 0)
  const below = $block.parent.maybeChild(1)
  return below?.type === list.type ? { pos: pos + 1, content: list.content } : { pos, content }
}

function isSingle(content: Fragment, name: string): boolean {
  return content.childCount === 1 && content.firstChild?.type.name === name
}

function itemsFor(content: Fragment, list: Node, item: Node, asItems: boolean): Fragment | undefined {
  if (isSingle(content, list.type.name)) return content.child(0).content
  if (!asItems || content.content.some((node) => node.type.name !== 'paragraph')) return undefined
  return Fragment.fromArray(content.content.map((node) => item.type.create(null, node)))
}

// Whether the ancestor of the block is the first (or last) child of the node at this depth.
function isEdge($block: ResolvedPos, depth: number, placement: 'before' | 'after'): boolean {
  return placement === 'before' ? $block.index(depth) === 0 : $block.index(depth) === $block.node(depth).childCount - 1
}

function beside($block: ResolvedPos, depth: number, placement: 'before' | 'after'): number {
  if (depth > $block.depth) return placement === 'before' ? $block.pos : $block.pos + ($block.nodeAfter?.nodeSize ?? 0)
  return placement === 'before' ? $block.before(depth) : $block.after(depth)
}

// Between two items: at the end of the preceding item, since an item must begin with its own paragraph.
function inMiddle($block: ResolvedPos, depth: number, placement: 'before' | 'after', content: Fragment): BlockPlace {
  const pos = placement === 'after' ? beside($block, depth, 'after') : $block.before(depth - 1) - 1
  return { pos, content }
}
