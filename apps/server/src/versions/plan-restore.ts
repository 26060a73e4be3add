import { compareDocuments, decideChanges } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { Fragment, type Node } from 'prosemirror-model'
import { shareBlocks } from './share-blocks.ts'

/**
 * The steps that turn the present text into that of a version, one per difference, so that carets and other positions
 * in unchanged text are kept. Comments stay on unchanged text; the others are anchored again by their quotes. Of the
 * changes suggested in the version, only those in `open` are suggested again; the others count as never made.
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
  // Comment marks take no space, so positions are the same with them.
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
