import type { Mark, Node } from 'prosemirror-model'
import { type NodeSuggestion, readSuggestions } from '../review-attributes.ts'
import { holdsSuggestions } from './decide-node.ts'
import { atomText, type ChangeWords, englishWords } from './describe.ts'
import { type ChangeExtent, changesWord, wholeWords } from './whole-words.ts'

/**
 * A suggested change in the content, from all marks and attributes with its id. `before` is the plain text that it
 * removes, `after` the text that it adds (for formatting: the text, with `before` and `after` naming the format);
 * `from` and `to` are the ProseMirror positions that it spans.
 */
export type SuggestedChange = {
  id: string
  type: 'insertion' | 'deletion' | 'replacement' | 'formatting' | 'block'
  before: string
  after: string
  from: number
  to: number
}

type Side = { text: string; block: number; end: number } | undefined

type Gathered = ChangeExtent & {
  id: string
  before: Side
  after: Side
  isBlock: boolean
  /** Changes of format, type and attributes, in words; used if no text changes. */
  turned: { before: string; after: string }[]
}

/**
 * The open suggested changes of a document, in document order; all marks and attributes with one id are one change.
 * `before` is the text that it removes and `after` the text that it adds, with blocks on separate lines and pieces
 * separated by ` … `; a replacement inside one block shows whole words, and a change of a part of a word is a
 * replacement. A change that only formats or retypes describes both states, with the text: `plain “word”` and `bold
 * “word”`, `paragraph “Title”` and `heading 2 “Title”`. Inline atoms count as text (a mention as `@label`, math as
 * `$latex$`); `block` is the type of every change that inserts, deletes or retypes a block. `words` names formats and
 * types of blocks, by default in English.
 */
export function readChanges(doc: Node, words: ChangeWords = englishWords): SuggestedChange[] {
  return [...gatherChanges(doc, words).values()].map(finish)
}

/** The ids of the open suggested changes of a document, in document order. */
export function readChangeIds(doc: Node): string[] {
  return [...gatherChanges(doc, englishWords).keys()]
}

function gatherChanges(doc: Node, words: ChangeWords): Map<string, Gathered> {
  const changes = new Map<string, Gathered>()
  let block = 0
  const visit = (parent: Node, start: number) => {
    const parentEnd = start + parent.content.size
    parent.forEach((node, offset, index) => {
      const pos = start + offset
      if (!node.isInline) block++
      if (!holdsSuggestions(node)) return
      readNode(node, { pos, block, parent, parentEnd, index, words }, changes)
      visit(node, pos + 1)
    })
  }
  visit(doc, 0)
  return changes
}

type NodePlace = {
  pos: number
  block: number
  parent: Node
  parentEnd: number
  index: number
  words: ChangeWords
}

function readNode(node: Node, place: NodePlace, changes: Map<string, Gathered>) {
  const { pos, block, parent, parentEnd, index, words } = place
  const end = pos + node.nodeSize
  const gather = (id: unknown): Gathered => {
    const key = String(id)
    const change = changes.get(key) ?? {
      ...empty(key),
      from: pos,
      to: pos,
      parent,
      parentEnd,
      first: index,
      last: index,
    }
    if (end > change.to) Object.assign(change, { to: end, last: index })
    changes.set(key, change)
    return change
  }
  const text = atomText(node)
  const at = { pos, end, block, words }
  for (const entry of readSuggestions(node.attrs.suggestion)) {
    const change = gather(entry.id)
    if (!node.isInline) change.isBlock = true
    if (entry.operation === 'insert') change.after = append(change.after, text, at)
    else if (entry.operation === 'delete') change.before = append(change.before, text, at)
    else if (entry.operation === 'change') turn(change, node, entry.previous, at)
  }
  for (const mark of node.marks) {
    if (mark.type.name === 'insertion') {
      const change = gather(mark.attrs.id)
      change.after = append(change.after, text, at)
    } else if (mark.type.name === 'deletion') {
      const change = gather(mark.attrs.id)
      change.before = append(change.before, text, at)
    } else if (mark.type.name === 'formattingChange') gather(mark.attrs.id).turned.push(formatTurn(node, mark, at))
  }
}

function empty(id: string): Omit<Gathered, keyof ChangeExtent> {
  return { id, before: undefined, after: undefined, isBlock: false, turned: [] }
}

type Place = { pos: number; end: number; block: number; words: ChangeWords }

function append(side: Side, text: string, { pos, end, block }: Omit<Place, 'words'>): Side {
  // A container has no text of its own; the text of its children follows.
  if (text === '') return side
  if (!side) return { text, block, end }
  const apart = side.block !== block ? '\n' : side.end < pos ? ' … ' : ''
  return { text: side.text + apart + text, block, end }
}

type Previous = Extract<NodeSuggestion, { operation: 'change' }>['previous']

function turn(change: Gathered, node: Node, previous: Previous, at: Place): void {
  if (node.isInline) {
    const type = node.type.schema.nodes[previous.type]
    const old = type?.isInline && !type.isText ? type.create(previous.attributes) : node
    change.before = append(change.before, atomText(old), at)
    change.after = append(change.after, atomText(node), at)
    return
  }
  const { words } = at
  const text = node.textBetween(0, node.content.size, ' ', atomText)
  change.turned.push({
    before: withQuote(words.block(previous.type, previous.attributes), text, words),
    after: withQuote(words.block(node.type.name, node.attrs), text, words),
  })
}

function formatTurn(node: Node, change: Mark, { words }: Place): { before: string; after: string } {
  const text = atomText(node)
  const name = String(change.attrs.mark)
  const now = node.marks.find((mark) => mark.type.name === name)
  return {
    before: withQuote(previousFormat(node, name, change, words), text, words),
    after: withQuote(now ? words.format(now) : words.plain, text, words),
  }
}

function previousFormat(node: Node, name: string, { attrs: { previous } }: Mark, words: ChangeWords): string {
  const type = node.type.schema.marks[name]
  if (typeof previous !== 'string' || !type) return words.plain
  try {
    const attributes: unknown = JSON.parse(previous)
    return words.format(type.create(typeof attributes === 'object' ? attributes : null))
  } catch {
    return name
  }
}

function withQuote(what: string, text: string, { quote }: ChangeWords): string {
  return text === '' ? what : `${what} ${quote(text)}`
}

function finish(change: Gathered): SuggestedChange {
  const { id, from, to, before, after, isBlock, turned } = change
  const type = isBlock ? 'block' : typeOf(before !== undefined, after !== undefined)
  const isInWord = (type === 'insertion' || type === 'deletion') && changesWord(change)
  const words = type === 'replacement' || isInWord ? wholeWords(id, change) : undefined
  if (words?.before && words.after) return { id, type: 'replacement', ...words, from, to }
  if (words && type === 'replacement') return { id, type, ...words, from, to }
  if (before || after || turned.length === 0) {
    return { id, type, before: before?.text ?? '', after: after?.text ?? '', from, to }
  }
  const lines = (side: 'before' | 'after') => [...new Set(turned.map((each) => each[side]))].join('\n')
  return { id, type, before: lines('before'), after: lines('after'), from, to }
}

function typeOf(removes: boolean, adds: boolean): SuggestedChange['type'] {
  if (removes && adds) return 'replacement'
  if (removes) return 'deletion'
  return adds ? 'insertion' : 'formatting'
}
