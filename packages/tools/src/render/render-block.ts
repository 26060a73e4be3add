import { serializeBlock } from '@copydesk/schema/markdown'
import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Block, isVisible } from '../document/blocks.ts'
import { plainLine } from './plain-line.ts'
import { withoutEscapes, withoutEscapesInRow } from './readable.ts'

/** What rendering needs to know of a block of a document. */
export type RenderedBlock = Pick<Block, 'kind' | 'node' | 'pos' | 'isOuter'>

/**
 * A block in markdown as the model reads it, without its number: list items with marker and indentation, quotes with
 * `>`, a table row as `| a | b |`, a code block with its fences on separate lines. Suggested changes count as accepted.
 */
export function renderBlock(doc: Node, block: RenderedBlock): string {
  const markdown = blockMarkdown(block.node)
  if (block.kind === 'row') return markdown
  const prefix = blockPrefix(doc, block)
  if (prefix === '' || !markdown.includes('\n')) return prefix + markdown
  const indent = ' '.repeat(prefix.length)
  return prefix + markdown.split('\n').join(`\n${indent}`)
}

const written = new WeakMap<Node, string>()

/** A block in markdown without what is around it: list markers, quotes, indentation. */
export function blockMarkdown(node: Node): string {
  const known = written.get(node)
  if (known !== undefined) return known
  const markdown = plainLine(node) ?? readable(node, serializeBlock(node, { changes: 'accepted' }))
  written.set(node, markdown)
  return markdown
}

function readable(node: Node, markdown: string): string {
  if (node.type.name === 'tableRow') return withoutEscapesInRow(markdown.split('\n', 1)[0] ?? '', node)
  return node.isTextblock ? withoutEscapes(markdown, node) : markdown
}

/** The markers that a read shows before the text of a block: those of its quotes and list items, and indentation. */
export function blockPrefix(doc: Node, block: Pick<Block, 'pos' | 'isOuter'>): string {
  if (block.isOuter) return ''
  const $pos = doc.resolve(block.pos)
  let prefix = ''
  for (let depth = 1; depth <= $pos.depth; depth++) {
    const node = $pos.node(depth)
    if (node.type.name === 'blockquote') prefix += '> '
    if (node.type.name !== 'listItem' && node.type.name !== 'taskItem') continue
    const marker = listMarker($pos.node(depth - 1), node, visibleIndex($pos, depth - 1))
    const startsItem = depth === $pos.depth && visibleIndex($pos, depth) === 0
    prefix += startsItem ? marker : ' '.repeat(marker.startsWith('- ') ? 2 : marker.length)
  }
  return prefix
}

// The index, among the children that are visible once suggested changes are accepted, of the child that holds the
// position.
function visibleIndex($pos: ResolvedPos, depth: number): number {
  return $pos.node(depth).children.slice(0, $pos.index(depth)).filter(isVisible).length
}

function listMarker(list: Node, item: Node, index: number): string {
  if (item.type.name === 'taskItem') return item.attrs.checked === true ? '- [x] ' : '- [ ] '
  if (list.type.name !== 'orderedList') return '- '
  return `${(typeof list.attrs.start === 'number' ? list.attrs.start : 1) + index}. `
}
