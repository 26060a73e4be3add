import type { Fragment, Node } from 'prosemirror-model'
import type { Flow, MdastOf } from './processor.ts'
import { writeImage, writeInline } from './write-inline.ts'
import { writeTable } from './write-table.ts'

/** Writes blocks as mdast; omits empty paragraphs, which markdown can't represent. */
export function writeBlocks(content: Fragment | readonly Node[]): Flow[] {
  const written: Flow[] = []
  content.forEach((node: Node) => {
    if (node.type.name !== 'paragraph' || node.childCount > 0) written.push(writeBlock(node))
  })
  return written
}

function writeBlock(node: Node): Flow {
  switch (node.type.name) {
    case 'heading':
      return { type: 'heading', depth: headingDepth(node.attrs.level), children: writeInline(node.content, 'heading') }
    case 'blockquote':
      return { type: 'blockquote', children: writeBlocks(node.content) }
    case 'bulletList':
    case 'taskList':
      return writeList(node, null)
    case 'orderedList':
      return writeList(node, typeof node.attrs.start === 'number' ? node.attrs.start : 1)
    case 'codeBlock':
      return writeCode(node)
    case 'blockMath':
      return { type: 'math', value: String(node.attrs.latex) }
    case 'horizontalRule':
      return { type: 'thematicBreak' }
    case 'image':
      return { type: 'paragraph', children: writeImage(node) }
    case 'table':
      return writeTable(node)
    default:
      return { type: 'paragraph', children: writeInline(node.content, 'paragraph') }
  }
}

function headingDepth(level: unknown): 1 | 2 | 3 | 4 | 5 | 6 {
  return level === 2 || level === 3 || level === 4 || level === 5 || level === 6 ? level : 1
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function writeCode(node: Node): MdastOf<'code'> {
  const [lang = null, ...meta] = string(node.attrs.language).split(/\s+/).filter(Boolean)
  return { type: 'code', lang, meta: meta.join(' ') || null, value: node.textContent }
}

function writeList(node: Node, start: number | null): MdastOf<'list'> {
  const items = node.children.map((item) => writeItem(item, start !== null))
  const spread = items.some((item) => item.spread === true)
  return { type: 'list', ordered: start !== null, start, spread, children: items }
}

function writeItem(node: Node, inOrderedList: boolean): MdastOf<'listItem'> {
  let blocks = node.children
  let checked: boolean | null = node.type.name === 'taskItem' ? node.attrs.checked === true : null
  const first = blocks[0]
  const check = inOrderedList ? /^\[([ x])\] /.exec(first?.firstChild?.text ?? '') : null
  if (first && check && first.content.size > 4) {
    checked = check[1] === 'x'
    blocks = [first.cut(4), ...blocks.slice(1)]
  }
  const isEmptyTask = checked !== null && first?.childCount === 0 && blocks[1]?.type.name !== 'image'
  const children = writeBlocks(blocks)
  if (isEmptyTask) children.unshift({ type: 'paragraph', children: [] })
  const spread = children.some((child, index) => index > 0 && child.type !== 'list')
  return { type: 'listItem', checked, spread, children }
}
