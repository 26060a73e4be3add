import type { Step } from '@copydesk/protocol'
import { isShown } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'

// Tools whose changes aren't in the text.
const besideText: ReadonlySet<string> = new Set(['edit_frontmatter', 'set_title'])

/**
 * Whether the texts that a step would change, and the text next to which it would insert, are in a document, given by
 * the letters and digits of its text (`lettersIn`): proposals may contain Markdown markers.
 */
export function fits({ tool, arguments: given, proposal = [] }: Step, letters: string): boolean {
  if (besideText.has(tool)) return true
  const texts = [...proposal.map(({ before }) => before), anchorOf(given)]
  return texts.every((text) => letters.includes(onlyLetters(text)))
}

function anchorOf({ position }: Step['arguments']): string {
  const isNamed = typeof position === 'object' && position !== null && 'anchor' in position
  return isNamed && typeof position.anchor === 'string' ? position.anchor : ''
}

const known = new WeakMap<Node, string>()

/** The letters and digits of a document's text, as if all suggested changes were accepted. */
export function lettersIn(node: Node): string {
  const cached = known.get(node)
  if (cached !== undefined) return cached
  const letters = isShown(node, 'accepted') ? (node.isLeaf ? ofLeaf(node) : node.children.map(lettersIn).join('')) : ''
  known.set(node, letters)
  return letters
}

function ofLeaf({ text, attrs }: Node): string {
  return onlyLetters(text ?? [attrs.label, attrs.latex, attrs.alt, attrs.src].filter(Boolean).join(' '))
}

// Without the addresses of links, which are not part of the text. Takes linear time for any text: no part is read
// twice.
function onlyLetters(text: string): string {
  return text.replaceAll(/(?<!!\[[^\]]*)\]\([^)\]\s]*\)/g, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
