import { Fragment, type Node } from 'prosemirror-model'

/**
 * A copy of `doc` that shares its equal blocks with `other`. Comparisons detect unchanged blocks by identity, which two
 * documents that were read separately never share.
 */
export function shareBlocks(other: Node, doc: Node): Node {
  if (other.eq(doc)) return other
  const known = Map.groupBy(other.children, keyOf)
  const children = doc.children.map((child) => known.get(keyOf(child))?.find((each) => each.eq(child)) ?? child)
  return doc.copy(Fragment.fromArray(children))
}

function keyOf(node: Node): string {
  return `${node.type.name} ${node.textContent}`
}
