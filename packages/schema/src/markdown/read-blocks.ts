import { Fragment, type Node } from 'prosemirror-model'
import { schema } from '../extensions.ts'
import { readImageTag } from './image-tag.ts'
import type { MdastNode, MdastOf, Phrasing } from './processor.ts'
import { type InlineContext, literal, literalLines, readInline } from './read-inline.ts'
import { trimBlanksAtEnd } from './white-space.ts'

/** The context for reading blocks; `isReferenced`: whether any reference uses a definition. */
export type BlockContext = InlineContext & { isReferenced(definition: MdastOf<'definition'>): boolean }

/**
 * Reads mdast blocks as ProseMirror blocks; a construct without a node in the schema becomes a paragraph with its
 * source.
 */
export function readBlocks(nodes: readonly MdastNode[], context: BlockContext): Node[] {
  return nodes.flatMap((node) => readBlock(node, context))
}

function readBlock(node: MdastNode, context: BlockContext): Node[] {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node, context)
    case 'heading':
      return readTextBlock('heading', { level: node.depth }, node.children, context)
    case 'blockquote':
      return [container('blockquote', null, readBlocks(node.children, context))]
    case 'list':
      return readList(node, context)
    case 'code':
      return [readCode(node)]
    case 'math':
      return [schema.node('blockMath', { latex: node.meta ? `${node.meta}\n${node.value}` : node.value })]
    case 'thematicBreak':
      return [schema.node('horizontalRule')]
    case 'table':
      return [readTable(node, context)]
    case 'html':
      return [readHtml(node.value)]
    case 'footnoteDefinition':
      return readFootnote(node, context)
    case 'definition':
      return context.isReferenced(node) ? [] : [schema.node('paragraph', null, literalLines(literal(node, context)))]
    case 'yaml':
      return []
    case 'listItem':
      return readBlocks(node.children, context)
    case 'tableRow':
    case 'tableCell':
      return node.children.flatMap((child) => readBlock(child, context))
    default:
      return readTextBlock('paragraph', null, [node], context)
  }
}

function readParagraph(node: MdastOf<'paragraph'>, context: BlockContext): Node[] {
  const [only, more] = node.children
  // `$$…$$` on a separate line is the usual notation for a block formula.
  if (only?.type === 'inlineMath' && !more && context.source.startsWith('$$', only.position?.start.offset)) {
    return [schema.node('blockMath', { latex: only.value })]
  }
  return readTextBlock('paragraph', null, node.children, context)
}

/** Reads phrasing as blocks of one type; each image becomes a separate block between them. */
function readTextBlock(
  type: 'paragraph' | 'heading',
  attributes: Record<string, unknown> | null,
  children: readonly Phrasing[],
  context: BlockContext,
): Node[] {
  const inline = readInline(children, [], context)
  if (!inline.some((node) => node.isBlock)) return [schema.node(type, attributes, inline)]
  const blocks: Node[] = []
  let line: Node[] = []
  const flush = () => {
    const trimmed = trimLine(line)
    if (trimmed.length > 0) blocks.push(schema.node(type, attributes, trimmed))
    line = []
  }
  for (const node of inline) {
    if (node.isBlock) {
      flush()
      blocks.push(node)
    } else line.push(node)
  }
  flush()
  return blocks
}

/** Drops the white space and breaks next to an image that was moved out of the line. */
function trimLine(line: readonly Node[]): Node[] {
  const isBlank = (node: Node) => node.type.name === 'hardBreak' || (node.isText && !node.text?.trim())
  const from = line.findIndex((node) => !isBlank(node))
  if (from < 0) return []
  const kept = line.slice(from, line.findLastIndex((node) => !isBlank(node)) + 1)
  return kept.map((node, index) => {
    let value = node.text
    if (value === undefined) return node
    if (index === 0) value = value.replace(/^[ \t]+/, '')
    if (index === kept.length - 1) value = trimBlanksAtEnd(value)
    return value === '' ? node : schema.text(value, node.marks)
  })
}

function readHtml(source: string): Node {
  const image = readImageTag(source)
  if (image) return schema.node('image', image)
  const isBreaks = /^(?:<br\s*\/?>)+$/i.test(source)
  const line = isBreaks ? Array.from(source.matchAll(/</g), () => schema.node('hardBreak')) : literalLines(source)
  return schema.node('paragraph', null, line)
}

function readCode(node: MdastOf<'code'>): Node {
  const language = [node.lang, node.meta].filter(Boolean).join(' ') || null
  const value = node.value.replace(/\r\n?/g, '\n')
  return schema.node('codeBlock', { language }, value === '' ? [] : [schema.text(value)])
}

function readFootnote(node: MdastOf<'footnoteDefinition'>, context: BlockContext): Node[] {
  const label = schema.text(`[^${node.label ?? node.identifier}]: `)
  const [first, ...rest] = readBlocks(node.children, context)
  if (first?.type.name !== 'paragraph') {
    const labelled = schema.node('paragraph', null, [label])
    return first ? [labelled, first, ...rest] : [labelled]
  }
  return [first.copy(Fragment.from(label).append(first.content)), ...rest]
}

/** Splits a list at each change between plain and task items: the schema has a node for each kind but none for both. */
function readList(node: MdastOf<'list'>, context: BlockContext): Node[] {
  if (node.ordered) {
    const items = node.children.map((item) => readItem('listItem', item, context))
    return [schema.node('orderedList', { start: node.start ?? 1 }, items)]
  }
  const lists: Node[] = []
  let items: Node[] = []
  for (const [index, item] of node.children.entries()) {
    const isTask = typeof item.checked === 'boolean'
    const next = node.children[index + 1]
    items.push(readItem(isTask ? 'taskItem' : 'listItem', item, context))
    if (next && (typeof next.checked === 'boolean') === isTask) continue
    lists.push(schema.node(isTask ? 'taskList' : 'bulletList', null, items))
    items = []
  }
  return lists
}

function readItem(type: 'listItem' | 'taskItem', item: MdastOf<'listItem'>, context: BlockContext): Node {
  const blocks = readBlocks(item.children, context)
  const first = blocks[0]
  if (first?.type.name !== 'paragraph') blocks.unshift(schema.node('paragraph'))
  if (type === 'taskItem') {
    // The writer marks an empty task by a space, because a checkbox needs text after it.
    if (first?.type.name === 'paragraph' && first.textContent === ' ') blocks[0] = schema.node('paragraph')
    return schema.node(type, { checked: item.checked === true }, blocks)
  }
  // Ordered lists have no tasks in the schema: the checkbox is kept as text, and is written as a checkbox again.
  if (typeof item.checked === 'boolean' && blocks[0]) {
    const check = schema.text(item.checked ? '[x] ' : '[ ] ')
    blocks[0] = blocks[0].copy(Fragment.from(check).append(blocks[0].content))
  }
  return schema.node(type, null, blocks)
}

function readTable(node: MdastOf<'table'>, context: BlockContext): Node {
  const columns = node.children.reduce((most, row) => Math.max(most, row.children.length), 1)
  const rows = node.children.map((row, index) => {
    const cells = Array.from({ length: columns }, (_, column) => {
      const content = row.children[column]?.children ?? []
      const blocks = readTextBlock('paragraph', null, content, { ...context, inTable: true })
      return container(index === 0 ? 'tableHeader' : 'tableCell', { align: node.align?.[column] ?? null }, blocks)
    })
    return schema.node('tableRow', null, cells)
  })
  return schema.node('table', null, rows)
}

function container(type: string, attributes: Record<string, unknown> | null, blocks: readonly Node[]): Node {
  return schema.node(type, attributes, blocks.length > 0 ? blocks : [schema.node('paragraph')])
}
