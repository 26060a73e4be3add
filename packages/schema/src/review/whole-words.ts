import type { Node } from 'prosemirror-model'
import { atomText } from './describe.ts'

const longest = 200

/**
 * The place of a suggested change: its positions in the document, the parent of its first node, the position at which
 * the content of that parent ends, and the indexes of its first and last node there.
 */
export type ChangeExtent = { from: number; to: number; parent: Node; parentEnd: number; first: number; last: number }

/**
 * The text that a replacement covers, from the beginning of its first word to the end of its last, without and with the
 * replacement: people read `one year` and `two years`, not the letters that differ. `undefined` if it spans several
 * blocks or is too long. Reads only the nodes around the change: a block may hold thousands of changes.
 */
export function wholeWords(id: string, extent: ChangeExtent): { before: string; after: string } | undefined {
  const { parent, first, last, from, to } = extent
  if (!isInOneBlock(extent) || to - from > longest) return undefined
  // Omits punctuation around the words.
  const left = wordBeside(parent, first, -1).replace(/^\p{P}+/u, '')
  const right = wordBeside(parent, last, 1).replace(/\p{P}+$/u, '')
  if (left.length + to - from + right.length > longest) return undefined
  const words = { before: left, after: left }
  for (let index = first; index <= last; index++) {
    const node = parent.child(index)
    const marked = (name: string, isOwn: boolean): boolean =>
      node.marks.some((mark) => mark.type.name === name && (mark.attrs.id === id) === isOwn)
    if (marked('deletion', false)) continue
    if (!marked('insertion', true)) words.before += atomText(node)
    if (!marked('deletion', true)) words.after += atomText(node)
  }
  return { before: words.before + right, after: words.after + right }
}

/** The part of a word directly before (`-1`) or after (`1`) a node, up to a few characters more than are shown. */
function wordBeside(parent: Node, index: number, step: -1 | 1): string {
  let word = ''
  for (let at = index + step; word.length <= longest; at += step) {
    const node = parent.maybeChild(at)
    if (!node?.isText || node.marks.some((mark) => mark.type.name === 'deletion')) break
    const text = node.text ?? ''
    const part = step < 0 ? /\S*$/.exec(text.slice(-longest - 1)) : /^\S*/.exec(text.slice(0, longest + 1))
    word = step < 0 ? `${part?.[0]}${word}` : `${word}${part?.[0]}`
    if (part?.[0] !== text) break
  }
  return word
}

/**
 * Whether an insertion or deletion changes a word instead of adding or removing whole ones: `$50k` becomes `$500k`.
 * False if it spans several blocks.
 */
export function changesWord(extent: ChangeExtent): boolean {
  const { parent, first, last } = extent
  const joins = (left: number): boolean =>
    letterBefore.test(parent.maybeChild(left)?.text ?? '') && letterAfter.test(parent.maybeChild(left + 1)?.text ?? '')
  return isInOneBlock(extent) && (joins(first - 1) || joins(last))
}

const letterBefore = /[\p{L}\p{N}]$/u
const letterAfter = /^[\p{L}\p{N}]/u

function isInOneBlock({ parent, parentEnd, from, to }: ChangeExtent): boolean {
  return parent.inlineContent && to > from && to <= parentEnd
}
