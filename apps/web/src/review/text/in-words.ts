import type { Node } from 'prosemirror-model'

/** A suggested change of text: its range and its removed and added text. */
export type TextChange = { id: string; type: string; from: number; to: number; before: string; after: string }

type Piece = { text: string; deletedBy: string[]; insertedBy: string[] }

const furthest = 24

/**
 * The removed and added text of a change within one text block, in whole words, since users read `thier → their` and
 * not `ie → ei`. Other users' suggestions around it are shown as if accepted. A change of another type is returned
 * unchanged.
 */
export function inWords<T extends TextChange>(doc: Node, change: T): T {
  if (!['insertion', 'deletion', 'replacement'].includes(change.type)) return change
  const start = doc.resolve(change.from)
  if (!start.parent.isTextblock || change.to > start.end()) return change
  const from = widen(start.parent, start.parentOffset, -1)
  const to = widen(start.parent, change.to - start.start(), 1)
  const pieces = piecesOf(start.parent, from, to)
  const isGone = ({ deletedBy }: Piece) => deletedBy.some((id) => id !== change.id)
  const shown = pieces.filter((piece) => !isGone(piece))
  const before = shown.filter(({ insertedBy }) => !insertedBy.includes(change.id))
  const after = shown.filter(({ deletedBy }) => !deletedBy.includes(change.id))
  return { ...change, before: join(before), after: join(after) }
}

function join(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text }) => text)
    .join('')
    .trim()
}

function piecesOf(block: Node, from: number, to: number): Piece[] {
  const pieces: Piece[] = []
  block.nodesBetween(from, to, (node, position) => {
    const text = node.isText
      ? (node.text ?? '').slice(Math.max(0, from - position), to - position)
      : node.type.name === 'mention'
        ? `@${String(node.attrs.label)}`
        : ' '
    pieces.push({ text, deletedBy: idsOf(node, 'deletion'), insertedBy: idsOf(node, 'insertion') })
  })
  return pieces
}

function idsOf(node: Node, name: string): string[] {
  return node.marks.flatMap(({ type, attrs }) => (type.name === name ? [String(attrs.id)] : []))
}

// Extends the change to the whole word in which it begins or ends, across the borders of formatting and of other
// changes, but not to the punctuation around that word, which stays as it is.
function widen(block: Node, offset: number, step: 1 | -1): number {
  let at = offset
  if (!isWord(block, step === 1 ? at - 1 : at)) return at
  while (Math.abs(at - offset) < furthest) {
    if (!isWord(block, step === 1 ? at : at - 1)) break
    at += step
  }
  while (at !== offset && /^\p{P}$/u.test(characterAt(block, step === 1 ? at - 1 : at))) at -= step
  return at
}

function isWord(block: Node, offset: number): boolean {
  if (offset < 0 || offset >= block.content.size) return false
  return /^\S$/.test(characterAt(block, offset))
}

function characterAt(block: Node, offset: number): string {
  return block.textBetween(offset, offset + 1, undefined, ' ')
}
