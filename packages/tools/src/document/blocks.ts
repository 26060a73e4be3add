import { isShown, readSuggestions } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'

/**
 * One numbered unit of a document: a text block outside tables, a table row, or a leaf block (image, rule, block math).
 * A session reads the document with all suggested changes accepted: deleted content has no block and no text. `index`
 * counts blocks in document order, `pos` is the ProseMirror position before the node; both refer to the latest view.
 * `type` is missing only for the empty paragraph that represents an empty fragment.
 */
export type Block = {
  readonly index: number
  readonly kind: 'text' | 'row' | 'leaf'
  readonly node: Node
  readonly pos: number
  /** Whether the block is a direct child of the document, not inside a list, quote or table. */
  readonly isOuter: boolean
  readonly type?: Y.XmlElement
  /** The block's texts, set at the first call of `segmentsOf`. */
  segments?: readonly Segment[]
}

/**
 * The searchable text of one text block (of a row: of one text block in one of its cells): without marks, with atoms in
 * their text form, and without text that suggested changes delete. `start` is the ProseMirror position where its
 * content begins.
 */
export type Segment = { readonly block: Block; readonly node: Node; readonly start: number; readonly text: string }

/**
 * The positions of a document's children and the indices of their first blocks; a change of these moves their blocks.
 */
export type Layout = { starts: readonly number[]; firsts: readonly number[] }

/** The index of a child of a document. */
export type Place = { child: number; readonly layout: Layout }

/** A block, located relative to the document child that contains it. */
class PlacedBlock implements Block {
  readonly kind: Block['kind']
  readonly node: Node
  declare readonly type?: Y.XmlElement
  declare segments?: readonly Segment[]
  readonly #place: Place
  readonly #offset: number
  readonly #number: number

  constructor(place: Place, offset: number, number: number, kind: Block['kind'], node: Node, type?: Y.XmlElement) {
    this.kind = kind
    this.node = node
    if (type) this.type = type
    this.#place = place
    this.#offset = offset
    this.#number = number
  }

  get pos(): number {
    const { child, layout } = this.#place
    return (layout.starts[child] ?? 0) + this.#offset
  }

  get isOuter(): boolean {
    return this.#offset === 0
  }

  get index(): number {
    const { child, layout } = this.#place
    return (layout.firsts[child] ?? 0) + this.#number
  }
}

/** The blocks of the document child at `place`; `type` is the Y type that it was read from. */
export function blocksOfChild(node: Node, place: Place, type: Y.XmlElement | undefined): Block[] {
  const blocks: Block[] = []
  const visit = (each: Node, offset: number, from: Y.XmlElement | undefined): void => {
    if (!isVisible(each)) return
    const kind = kindOf(each)
    // A row whose cells are all deleted is deleted too.
    if (kind === 'row' && !each.children.some(isVisible)) return
    if (kind) return void blocks.push(new PlacedBlock(place, offset, blocks.length, kind, each, from))
    const types = from === undefined ? [] : elementsOf(from)
    each.forEach((child, at, index) => visit(child, offset + 1 + at, types[index]))
  }
  visit(node, 0, type)
  return blocks
}

function kindOf(node: Node): Block['kind'] | undefined {
  if (node.type.name === 'tableRow') return 'row'
  if (node.isTextblock) return 'text'
  return node.isLeaf ? 'leaf' : undefined
}

/**
 * The element children of a Y type, in order: they correspond one to one to the children of a ProseMirror node except
 * text.
 */
export function elementsOf(type: Y.XmlFragment): Y.XmlElement[] {
  return type.toArray().filter((child) => child instanceof Y.XmlElement)
}

const visibility = new WeakMap<Node, boolean>()

/**
 * Whether a node exists once all suggested changes are accepted. A block that a suggestion deletes still exists while
 * it contains content that no suggestion deletes, such as text that another user has since added.
 */
export function isVisible(node: Node): boolean {
  if (node.isText) return node.marks.every((mark) => mark.type.name !== 'deletion')
  if (typeof node.attrs.suggestion !== 'string') return true
  const known = visibility.get(node)
  if (known !== undefined) return known
  const visible = isShown(node, 'accepted')
  visibility.set(node, visible)
  return visible
}

const changeMarks: ReadonlySet<string> = new Set(['insertion', 'deletion', 'formattingChange'])
const changed = new WeakMap<Node, boolean>()

/** Whether a suggested change affects a node or its content. */
export function holdsChanges(node: Node): boolean {
  if (node.isText) return node.marks.some((mark) => changeMarks.has(mark.type.name))
  const known = changed.get(node)
  if (known !== undefined) return known
  const holds = readSuggestions(node.attrs.suggestion).length > 0 || node.children.some(holdsChanges)
  changed.set(node, holds)
  return holds
}

/**
 * The text form of a node without text: a mention as `@label`, math as `$latex$`, a hard break as a line break, an
 * image
 * with its caption.
 */
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
      return imageText(node)
    default:
      return ''
  }
}

function imageText({ attrs: { src, alt, title } }: Node): string {
  const caption = typeof title === 'string' && title !== '' ? ` "${title}"` : ''
  return `![${String(alt ?? '')}](${String(src ?? '')}${caption})`
}

const texts = new WeakMap<Node, string>()

/** The visible plain text of a block as stored in its coordinates; cells of a row are separated by tabs. */
export function blockText(node: Node): string {
  const known = texts.get(node)
  if (known !== undefined) return known
  const text = node.isLeaf ? atomText(node) : readText(node)
  texts.set(node, text)
  return text
}

function readText(node: Node): string {
  const shown = node.children.filter(isVisible)
  if (node.inlineContent) return shown.map((child) => child.text ?? atomText(child)).join('')
  const parts = shown.map(blockText)
  return parts.join(node.type.name === 'tableRow' ? '\t' : '\n')
}

/** The visible text of a range of the document, with atoms in their text form and blocks on separate lines. */
export function visibleText(doc: Node, from: number, to: number): string {
  let text = ''
  let isFirst = true
  doc.nodesBetween(from, to, (node, pos) => {
    if (!isVisible(node)) return false
    if (node.isBlock && (node.isTextblock || node.isLeaf)) {
      if (!isFirst) text += '\n'
      isFirst = false
    }
    if (node.isText) text += node.text?.slice(Math.max(0, from - pos), to - pos) ?? ''
    else if (node.isLeaf) text += atomText(node)
    return true
  })
  return text
}

/** The visible text of several ranges, on separate lines. */
export function visibleTextOf(doc: Node, ranges: readonly { from: number; to: number }[]): string {
  return ranges.map(({ from, to }) => visibleText(doc, from, to)).join('\n')
}

const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu
const wordCounts = new WeakMap<Node, number>()

/** The number of words in a block's text; each Chinese or Japanese character counts as one. */
export function countWords(node: Node): number {
  const known = wordCounts.get(node)
  if (known !== undefined) return known
  const count = blockText(node).match(wordPattern)?.length ?? 0
  wordCounts.set(node, count)
  return count
}
