import type { Node } from 'prosemirror-model'

/** The length of a text. Characters are code points, including spaces and excluding line ends. */
export type TextCount = { words: number; characters: number }

// In scripts without spaces each character counts as a word.
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’_.:-][\p{L}\p{N}\p{M}]+)*/gu
const known = new WeakMap<Node, TextCount>()

/** Counts a range of a document, by default all of it; unchanged blocks are counted only once. */
export function countText(doc: Node, from = 0, to = doc.content.size): TextCount {
  const total = { words: 0, characters: 0 }
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isTextblock) return true
    const start = Math.max(0, from - position - 1)
    const end = Math.min(node.content.size, to - position - 1)
    const count = start === 0 && end === node.content.size ? countBlock(node) : countWords(textOf(node, start, end))
    total.words += count.words
    total.characters += count.characters
    return false
  })
  return total
}

function countBlock(block: Node): TextCount {
  const count = known.get(block) ?? countWords(textOf(block, 0, block.content.size))
  known.set(block, count)
  return count
}

function textOf(block: Node, from: number, to: number): string {
  return to > from
    ? block.textBetween(from, to, ' ', (leaf) => (leaf.type.name === 'mention' ? `@${String(leaf.attrs.label)}` : ''))
    : ''
}

/** Counts the words and characters of a plain text. */
export function countWords(text: string): TextCount {
  return { words: text.match(word)?.length ?? 0, characters: [...text].length }
}
