import type { Node } from 'prosemirror-model'
import { holdsSuggestions } from '../decide-node.ts'

/**
 * Distinguishes text that was typed inside deleted text, and so carries its mark, from deleted text that was only
 * moved: whether a character of `text` is deleted more often in `after` than in `before`. Reads the documents at the
 * first call.
 */
export function findTyped(before: Node, after: Node): (text: string) => boolean {
  let counted: { before: Map<string, number>; after: Map<string, number> } | undefined
  return (text) => {
    counted ??= { before: countDeleted(before), after: countDeleted(after) }
    const { before: old, after: now } = counted
    return [...text].some((character) => (now.get(character) ?? 0) > (old.get(character) ?? 0))
  }
}

function countDeleted(node: Node, counts = new Map<string, number>()): Map<string, number> {
  if (!holdsSuggestions(node)) return counts
  if (node.isText && node.marks.some((mark) => mark.type.name === 'deletion')) {
    for (const character of node.text ?? '') counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  for (const child of node.children) countDeleted(child, counts)
  return counts
}
