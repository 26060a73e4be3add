import type { Node } from 'prosemirror-model'
import { atomText } from './describe.ts'

const longest = 200

/**
 * The text that a replacement covers, from the beginning of its first word to the end of its last, without and with the
 * replacement: people read `one year` and `two years`, not the letters that differ. `undefined` if it spans several
 * blocks or is too long.
 */
export function wholeWords(
  doc: Node,
  { id, from, to }: { id: string; from: number; to: number },
): { before: string; after: string } | undefined {
  const $from = doc.resolve(from)
  if (!$from.parent.inlineContent || !$from.sameParent(doc.resolve(to))) return undefined
  const units = unitsOf($from.parent, id)
  const [start, end] = [$from.parentOffset, $from.parentOffset + to - from]
  let [first, last] = [start, end]
  while (first > 0 && isPartOfWord(units[first - 1])) first--
  while (last < units.length && isPartOfWord(units[last])) last++
  // Punctuation around the words is left out.
  while (first < start && /^\p{P}$/u.test(units[first]?.text ?? '')) first++
  while (last > end && /^\p{P}$/u.test(units[last - 1]?.text ?? '')) last--
  if (last - first > longest) return undefined
  const reached = units.slice(first, last)
  const join = (side: 'before' | 'after'): string => reached.map((unit) => (unit[side] ? unit.text : '')).join('')
  return { before: join('before'), after: join('after') }
}

/**
 * Whether an insertion or deletion changes a word instead of adding or removing whole ones: `$50k` becomes `$500k`.
 * False if it spans several blocks.
 */
export function changesWord(doc: Node, { from, to }: { from: number; to: number }): boolean {
  if (to === from) return false
  const { parent, parentOffset: start } = doc.resolve(from)
  const end = start + to - from
  // From the document each look would walk over all blocks before.
  if (!parent.inlineContent || end > parent.content.size) return false
  const at = (offset: number): string => parent.textBetween(offset, offset + 1, ' ', ' ')
  const joins = (left: number): boolean =>
    left >= 0 && left + 1 < parent.content.size && letter.test(at(left)) && letter.test(at(left + 1))
  return joins(start - 1) || joins(end - 1)
}

const letter = /^[\p{L}\p{N}]$/u

/** One position of a text block: its text, and whether it is present without and with the change. */
type Unit = { text: string; before: boolean; after: boolean }

function unitsOf(block: Node, id: string): Unit[] {
  const units: Unit[] = []
  block.forEach((node) => {
    const isInserted = node.marks.some((mark) => mark.type.name === 'insertion' && mark.attrs.id === id)
    const deletions = node.marks.filter((mark) => mark.type.name === 'deletion')
    const isDeleted = deletions.some((mark) => mark.attrs.id === id)
    const isHidden = deletions.some((mark) => mark.attrs.id !== id)
    const state = { before: !isInserted && !isHidden, after: !isDeleted && !isHidden }
    if (!node.isText) units.push({ text: atomText(node), ...state })
    else for (const text of (node.text ?? '').split('')) units.push({ text, ...state })
  })
  return units
}

function isPartOfWord(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.before && unit.after && /^\S$/.test(unit.text)
}
