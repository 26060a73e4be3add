import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import { type BlockRange, isItem, nodesIn } from './block-at.ts'

/**
 * A move: deletes `source` and inserts `content` at `target`: the same blocks in the parents that their new position
 * needs.
 */
export type MovePlan = { source: BlockRange; target: number; content: Fragment; frames: number }

/**
 * Plans the move of a range of blocks to a position between two blocks; null if they are already there, inside
 * themselves, or don't fit.
 */
export function planMove(doc: Node, source: BlockRange, target: number): MovePlan | null {
  if (target >= source.from && target <= source.to) return null
  const $target = doc.resolve(target)
  const nodes = nodesIn(doc, source)
  const first = nodes[0]
  if (!first) return null
  const fits = (content: Fragment) => $target.parent.canReplace($target.index(), $target.index(), content)
  const bare = Fragment.from(nodes)
  if (fits(bare)) return { source, target, content: bare, frames: 0 }
  const list = doc.resolve(source.from).parent
  if (!isItem(first.type)) return null
  // Next to a list of its own type an item joins that list.
  if ($target.nodeAfter?.type === list.type) return planMove(doc, source, target + 1)
  if ($target.nodeBefore?.type === list.type) return planMove(doc, source, target - 1)
  const framed = Fragment.from(list.copy(bare))
  return fits(framed) ? { source, target, content: framed, frames: 1 } : null
}

/**
 * The target of a move up or down: past the range's neighbour, or out of its list; null at the edge of the document.
 */
export function stepTarget(doc: Node, { from, to }: BlockRange, direction: 'up' | 'down'): number | null {
  const $edge = doc.resolve(direction === 'up' ? from : to)
  const neighbour = direction === 'up' ? $edge.nodeBefore : $edge.nodeAfter
  if (neighbour) return direction === 'up' ? from - neighbour.nodeSize : to + neighbour.nodeSize
  return outerTarget(doc, $edge.depth === 0 ? null : $edge.before(), direction)
}

// Out of the list: next to the item that holds it, or past the adjacent block.
function outerTarget(doc: Node, list: number | null, direction: 'up' | 'down'): number | null {
  const node = list === null ? null : doc.nodeAt(list)
  if (list === null || !node || !holdsItems(node.type)) return null
  const $list = doc.resolve(list)
  if ($list.depth > 0 && isItem($list.parent.type)) return direction === 'up' ? $list.before() : $list.after()
  const beside = direction === 'up' ? $list.nodeBefore : doc.resolve(list + node.nodeSize).nodeAfter
  if (!beside) return null
  return direction === 'up' ? list - beside.nodeSize : list + node.nodeSize + beside.nodeSize
}

function holdsItems(type: NodeType): boolean {
  return type.name === 'bulletList' || type.name === 'orderedList' || type.name === 'taskList'
}

/**
 * The same result by moving the passed blocks in the opposite direction: `source` and the blocks before the target swap
 * roles. For a block in which a peer is writing, so that its Yjs type stays the same. Null if the two don't share one
 * parent.
 */
export function planOtherWay(doc: Node, { source, target, frames }: MovePlan): MovePlan | null {
  const $target = doc.resolve(target)
  if (frames > 0 || !$target.sameParent(doc.resolve(source.from))) return null
  const passed = target < source.from ? { from: target, to: source.from } : { from: source.to, to: target }
  return planMove(doc, passed, target < source.from ? source.to : source.from)
}
