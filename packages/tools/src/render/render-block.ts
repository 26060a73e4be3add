import { serializeBlock } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import type { Block } from '../session/blocks.ts'

/**
 * A block in markdown as the model reads it, without its number: list items with marker and indentation, quotes with
 * `>`, a table row as `| a | b |`, a code block with its fences on lines of its own.
 */
export function renderBlock(doc: Node, block: Block): string {
  const markdown = serializeBlock(block.node)
  if (block.kind === 'row') return markdown.split('\n', 1)[0] ?? ''
  const prefix = blockPrefix(doc, block)
  if (prefix === '' || !markdown.includes('\n')) return prefix + markdown
  const indent = ' '.repeat(prefix.length)
  return prefix + markdown.split('\n').join(`\n${indent}`)
}

function blockPrefix(doc: Node, block: Block): string {
  const $pos = doc.resolve(block.pos)
  let prefix = ''
  for (let depth = 1; depth <= $pos.depth; depth++) {
    const node = $pos.node(depth)
    if (node.type.name === 'blockquote') prefix += '> '
    if (node.type.name !== 'listItem' && node.type.name !== 'taskItem') continue
    const marker = listMarker($pos.node(depth - 1), node, $pos.index(depth - 1))
    const startsItem = depth === $pos.depth && $pos.index(depth) === 0
    prefix += startsItem ? marker : ' '.repeat(marker.startsWith('- ') ? 2 : marker.length)
  }
  return prefix
}

function listMarker(list: Node, item: Node, index: number): string {
  if (item.type.name === 'taskItem') return item.attrs.checked === true ? '- [x] ' : '- [ ] '
  if (list.type.name !== 'orderedList') return '- '
  return `${(typeof list.attrs.start === 'number' ? list.attrs.start : 1) + index}. `
}
