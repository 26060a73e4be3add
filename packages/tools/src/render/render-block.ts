import { serializeBlock } from '@copydesk/schema/markdown'
import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Block, isVisible } from '../document/blocks.ts'
import { withoutEscapes, withoutEscapesInRow } from './readable.ts'

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

/** A block in markdown without its context: list markers, quotes, indentation. */
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

// The index, among the children that are visible once suggested changes are accepted, of the child that contains the
// position.
function visibleIndex($pos: ResolvedPos, depth: number): number {
  return $pos.node(depth).children.slice(0, $pos.index(depth)).filter(isVisible).length
}

function listMarker(list: Node, item: Node, index: number): string {
  if (item.type.name === 'taskItem') return item.attrs.checked === true ? '- [x] ' : '- [ ] '
  if (list.type.name !== 'orderedList') return '- '
  return `${(typeof list.attrs.start === 'number' ? list.attrs.start : 1) + index}. `
}

// Letters, digits and punctuation without a special meaning in the middle of a line of markdown.
const harmless = /^[\p{L}\p{N} ,.;:'"“”‘’()?%–—…-]*$/u
// Addresses that GFM turns into links.
const linkLike = /[wW]\.|:\//
const wordStart = /^[\p{L}\p{N}]/u
const wordEnd = /[\p{L}\p{N}]$/u
const delimiters: Readonly<Record<string, string>> = { bold: '**', italic: '*' }
const unseen: ReadonlySet<string> = new Set(['comment', 'insertion', 'deletion', 'formattingChange'])

type Part = { text: string; delimiter: string }

/**
 * A paragraph or heading in markdown if it needs no escaping: harmless text with optional bold or italic words.
 * `undefined` for all else. The same result as `serializeBlock` of the accepted view, at a fraction of its cost.
 */
export function plainLine(node: Node): string | undefined {
  const { name } = node.type
  if (name !== 'paragraph' && name !== 'heading') return undefined
  const parts = readParts(node)
  const text = parts?.map((part) => part.text).join('') ?? ''
  if (!parts || !/^\p{L}/u.test(text) || text.endsWith(' ') || !harmless.test(text) || linkLike.test(text))
    return undefined
  let line = name === 'heading' ? `${'#'.repeat(Number(node.attrs.level))} ` : ''
  for (const [index, { text: words, delimiter }] of parts.entries()) {
    if (delimiter !== '' && !standsAlone(words, parts[index - 1], parts[index + 1])) return undefined
    line += delimiter + words + delimiter
  }
  return line
}

// The visible text, with adjacent texts of one format merged; `undefined` if there is more than bold or italic text.
function readParts(node: Node): Part[] | undefined {
  const parts: Part[] = []
  for (const child of node.children) {
    if (!isVisible(child)) continue
    const marks = child.marks.filter((mark) => !unseen.has(mark.type.name))
    const delimiter = marks.length === 0 ? '' : delimiters[marks[0]?.type.name ?? '']
    if (child.text === undefined || marks.length > 1 || delimiter === undefined) return undefined
    const last = parts.at(-1)
    if (last?.delimiter === delimiter) last.text += child.text
    else parts.push({ text: child.text, delimiter })
  }
  return parts
}

// Delimiters are unambiguous around whole words with spaces or the line's ends outside.
function standsAlone(words: string, before: Part | undefined, after: Part | undefined): boolean {
  const isWhole = wordStart.test(words) && wordEnd.test(words)
  const isStartSeparated = !before || (before.delimiter === '' && before.text.endsWith(' '))
  const isEndSeparated = !after || (after.delimiter === '' && /^[ ,.;]/.test(after.text))
  return isWhole && isStartSeparated && isEndSeparated
}
