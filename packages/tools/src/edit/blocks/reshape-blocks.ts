import { Fragment, type Node, type NodeType, type Schema } from 'prosemirror-model'
import { reviewMarkNames } from '@copydesk/schema'
import { atomText, isVisible } from '../../document/blocks.ts'
import { isItem } from './block-changes.ts'
import type { Touched } from './touched.ts'

/** The formats that wrap blocks in another node. */
export type ContainerFormat = 'bulletList' | 'orderedList' | 'taskList' | 'blockquote' | 'codeBlock'

/**
 * The content of a document with the touched blocks wrapped in this format, or with `remove` unwrapped. Adjacent blocks
 * are wrapped in one node, which is not joined with an existing one; of a list only the touched items change. Untouched
 * nodes keep their identity. Touched blocks that don't allow the format are unchanged.
 */
export function reshapeBlocks(doc: Node, touched: Touched, format: ContainerFormat, remove: boolean): Fragment {
  const type = nodeType(doc.type.schema, format)
  return Fragment.fromArray(reshapeChildren(doc, 0, { touched, type, remove }))
}

type Reshape = { touched: Touched; type: NodeType; remove: boolean }

function nodeType(schema: Schema, name: string): NodeType {
  const type = schema.nodes[name]
  if (!type) throw new Error(`the schema has no node ${name}`)
  return type
}

/** Whether a node is a list of any kind. */
export function isList(node: Node): boolean {
  return ['bulletList', 'orderedList', 'taskList'].includes(node.type.name)
}

// `start` is the position where the parent's content begins.
function reshapeChildren(parent: Node, start: number, reshape: Reshape): Node[] {
  const nodes: Node[] = []
  let run: Node[] = []
  const flush = (): void => {
    if (run.length > 0) nodes.push(wrap(run, reshape.type))
    run = []
  }
  parent.forEach((child, offset, index) => {
    const pos = start + offset
    const isOwn = isItem(parent) && index === 0
    if (!isOwn && !reshape.remove && joinsRun(parent, start, child, pos, reshape)) run.push(child)
    else {
      flush()
      nodes.push(...reshapeChild(child, pos, isOwn, reshape))
    }
  })
  flush()
  return nodes
}

function joinsRun(parent: Node, start: number, child: Node, pos: number, { touched, type }: Reshape): boolean {
  if (!isVisible(child)) return false
  if (type.name === 'blockquote') return parent.type !== type && child.type !== type && touched.covers(child, pos)
  const isProse = child.type.name === 'paragraph' || child.type.name === 'heading'
  if (!isProse || !touched.has(pos)) return false
  // The further paragraphs of an item that moves to another list stay in that item.
  return type.name === 'codeBlock' || !isItem(parent) || !touched.has(start)
}

function reshapeChild(child: Node, pos: number, isOwn: boolean, reshape: Reshape): Node[] {
  const { touched, type, remove } = reshape
  if (!touched.within(child, pos)) return [child]
  if (remove && child.type === type) return unwrap(child, pos, isOwn, reshape)
  if (isList(child))
    return !remove && isListType(type) ? convertList(child, pos, reshape) : [inside(child, pos, reshape)]
  return child.isTextblock || child.isLeaf || child.type.name === 'table' ? [child] : [inside(child, pos, reshape)]
}

function inside(node: Node, pos: number, reshape: Reshape): Node {
  if (!isList(node)) return withChildren(node, reshapeChildren(node, pos + 1, reshape))
  return withChildren(
    node,
    itemsOf(node, pos, reshape).map(({ item }) => item),
  )
}

function withChildren(node: Node, children: readonly Node[]): Node {
  const isSame = children.length === node.childCount && children.every((child, index) => child === node.child(index))
  return isSame ? node : node.copy(Fragment.fromArray([...children]))
}

type Item = { item: Node; isTouched: boolean }

function itemsOf(list: Node, pos: number, reshape: Reshape): Item[] {
  const items: Item[] = []
  list.forEach((item, offset) => {
    const at = pos + 1 + offset
    const isTouched = reshape.touched.has(at + 1)
    items.push({ item: reshape.touched.within(item, at) ? inside(item, at, reshape) : item, isTouched })
  })
  return items
}

function isListType(type: NodeType): boolean {
  return type.name.endsWith('List')
}

// Only the touched items change their list; the items before and after keep the old kind of list.
function convertList(list: Node, pos: number, reshape: Reshape): Node[] {
  const items = itemsOf(list, pos, reshape)
  const plain = items.map(({ item }) => item)
  if (list.type === reshape.type) return [withChildren(list, plain)]
  return splitItems(list, items, (touched) => [wrap(touched, reshape.type)])
}

function splitItems(list: Node, items: readonly Item[], convert: (touched: Node[]) => Node[]): Node[] {
  const nodes: Node[] = []
  let kept = 0
  for (let from = 0; from < items.length;) {
    const isTouched = items[from]?.isTouched === true
    let to = from
    while (to < items.length && items[to]?.isTouched === isTouched) to++
    const run = items.slice(from, to).map(({ item }) => item)
    if (isTouched) nodes.push(...convert(run))
    else {
      nodes.push(partOf(list, run, kept))
      kept += run.length
    }
    from = to
  }
  return nodes
}

// The remainder of an ordered list continues its numbering.
function partOf(list: Node, items: readonly Node[], kept: number): Node {
  const { start } = list.attrs
  const attributes = typeof start === 'number' && kept > 0 ? { ...list.attrs, start: start + kept } : list.attrs
  return list.type.create(attributes, [...items])
}

function unwrap(node: Node, pos: number, isOwn: boolean, reshape: Reshape): Node[] {
  if (node.type.name === 'codeBlock') return isOwn ? [node] : [paragraphOf(node)]
  if (isList(node)) {
    return splitItems(node, itemsOf(node, pos, reshape), (items) => items.flatMap((item) => item.children))
  }
  const items: Item[] = []
  node.forEach((child, offset) => {
    const at = pos + 1 + offset
    const isTouched = reshape.touched.within(child, at)
    if (!isTouched) items.push({ item: child, isTouched })
    else for (const item of reshapeChild(child, at, false, reshape)) items.push({ item, isTouched })
  })
  return splitItems(node, items, (children) => children)
}

function wrap(run: readonly Node[], type: NodeType): Node {
  const { schema } = type
  if (type.name === 'blockquote') return type.create(null, [...run])
  if (type.name === 'codeBlock') return codeOf(run, type)
  const itemType = nodeType(schema, type.name === 'taskList' ? 'taskItem' : 'listItem')
  const items = run.map((node) => {
    const { threads } = node.attrs
    return isItem(node)
      ? itemType.create(node.type === itemType ? node.attrs : { threads }, node.content)
      : itemType.create(null, asParagraph(node))
  })
  return type.create(null, items)
}

function asParagraph(node: Node): Node {
  const type = nodeType(node.type.schema, 'paragraph')
  return node.type === type ? node : type.create(node.attrs, node.content, node.marks)
}

// One code block with a line for each block; comments and suggestions are kept on their text.
function codeOf(run: readonly Node[], type: NodeType): Node {
  const review: readonly string[] = reviewMarkNames
  const lines = run.map((node) =>
    node.children.map((child) => {
      const text = child.isText ? (child.text ?? '') : atomText(child)
      const marks = child.marks.filter((mark) => review.includes(mark.type.name))
      return text === '' ? [] : [type.schema.text(text, marks)]
    }),
  )
  const feed = type.schema.text('\n')
  const content = lines.flatMap((line, index) => [...(index > 0 ? [feed] : []), ...line.flat()])
  const threads = run.flatMap((node) => (typeof node.attrs.threads === 'string' ? node.attrs.threads : []))
  return type.create({ threads: threads.length > 0 ? threads.join(' ') : null }, Fragment.fromArray(content))
}

function paragraphOf(code: Node): Node {
  const { schema } = code.type
  const content = code.children.flatMap((child) => {
    const lines = (child.text ?? '').split('\n')
    return lines.flatMap((line, index) => [
      ...(index > 0 ? [schema.node('hardBreak')] : []),
      ...(line === '' ? [] : [schema.text(line, child.marks)]),
    ])
  })
  return nodeType(schema, 'paragraph').create(code.attrs, content)
}
