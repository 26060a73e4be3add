import { compareDocuments, decideChanges } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { Fragment, type Node } from 'prosemirror-model'
import { shareBlocks } from './share-blocks.ts'

/**
 * The steps that make the present text that of a version, as few as there are differences, so that carets and whatever else hangs on
 * text that stays the same stay too. Comments stay on text that stays; others find their words again by themselves. Of the changes
 * that were suggested in the version only those in `open` are suggested again; the others count as if they had never been.
 */
export function planRestore(
  present: Node,
  version: Node,
  open: ReadonlySet<string>,
  all: readonly string[],
): Transform {
  const settled = new Set(all.filter((id) => !open.has(id)))
  const target = settled.size > 0 ? decideChanges(version, settled, 'reject').doc : version
  const before = withoutThreads(present)
  const { steps } = compareDocuments(before, shareBlocks(before, withoutThreads(target)))
  // Threads take no room, so positions are the same with them.
  const transform = new Transform(present)
  for (const step of steps) transform.step(step)
  return transform
}

function withoutThreads(node: Node): Node {
  const marks = node.marks.filter(({ type }) => type.name !== 'comment')
  if (node.isText) return marks.length === node.marks.length ? node : node.mark(marks)
  const children = node.children.map(withoutThreads)
  const isSame = children.every((child, index) => child === node.child(index))
  const hasThreads = typeof node.attrs.threads === 'string'
  if (isSame && !hasThreads && marks.length === node.marks.length) return node
  const attributes = hasThreads ? { ...node.attrs, threads: null } : node.attrs
  return node.type.create(attributes, isSame ? node.content : Fragment.fromArray(children), marks)
}
