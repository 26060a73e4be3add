import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'

/**
 * One numbered unit of a document: a text block outside tables, a table row, or a leaf block (image, rule, block math).
 * `index` counts them in document order, `pos` is the ProseMirror position before the node. `type` is missing only for
 * the empty paragraph that stands for an empty fragment.
 */
export type Block = { index: number; kind: 'text' | 'row' | 'leaf'; node: Node; pos: number; type?: Y.XmlElement }

/** Lists the blocks of `doc`, which must be what `fragment` reads as. Reads only. */
export function listBlocks(doc: Node, fragment: Y.XmlFragment): Block[] {
  const blocks: Block[] = []
  collect(doc, 0, fragment, blocks)
  return blocks
}

function collect(parent: Node, start: number, type: Y.XmlFragment | undefined, blocks: Block[]): void {
  const types = type === undefined ? [] : elementsOf(type)
  let pos = start
  let element = 0
  parent.forEach((node) => {
    const child = node.isText ? undefined : types[element++]
    const kind = kindOf(node)
    if (kind) blocks.push({ index: blocks.length, kind, node, pos, ...(child ? { type: child } : {}) })
    else collect(node, pos + 1, child, blocks)
    pos += node.nodeSize
  })
}

function kindOf(node: Node): Block['kind'] | undefined {
  if (node.type.name === 'tableRow') return 'row'
  if (node.isTextblock) return 'text'
  return node.isLeaf ? 'leaf' : undefined
}

/** The element children of a Y type, in order: they correspond one to one to a ProseMirror node's children but text. */
export function elementsOf(type: Y.XmlFragment): Y.XmlElement[] {
  return type.toArray().filter((child) => child instanceof Y.XmlElement)
}

/** How an inline atom reads: a mention as `@label`, math as `$latex$`, a hard break as a line break. */
export function atomText(node: Node): string {
  switch (node.type.name) {
    case 'mention':
      return `@${String(node.attrs.label)}`
    case 'inlineMath':
    case 'blockMath':
      return `$${String(node.attrs.latex)}$`
    case 'hardBreak':
      return '\n'
    case 'image':
      return `![${String(node.attrs.alt ?? '')}](${String(node.attrs.src ?? '')})`
    default:
      return ''
  }
}

const texts = new WeakMap<Node, string>()

/** The plain text of a block as its coordinates remember it; cells of a row are separated by tabs. */
export function blockText(node: Node): string {
  const known = texts.get(node)
  if (known !== undefined) return known
  const text = node.isLeaf ? atomText(node) : readText(node)
  texts.set(node, text)
  return text
}

function readText(node: Node): string {
  if (node.inlineContent) return node.textBetween(0, node.content.size, undefined, atomText)
  const parts: string[] = []
  node.forEach((child) => parts.push(blockText(child)))
  return parts.join(node.type.name === 'tableRow' ? '\t' : '\n')
}

const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu
const wordCounts = new WeakMap<Node, number>()

/** How many words a block's text has; each Chinese or Japanese character counts as one. */
export function countWords(node: Node): number {
  const known = wordCounts.get(node)
  if (known !== undefined) return known
  const count = blockText(node).match(wordPattern)?.length ?? 0
  wordCounts.set(node, count)
  return count
}
