import type { Node } from 'prosemirror-model'
import type { Comment, Thread } from '@copydesk/protocol'
import type { Stretch } from '../text/anchors.ts'

/**
 * The state of a comment's replacement: `suggested` while the change that was created from it is open, `applied` when
 * the text already equals it, `fits` while the text still equals the comment's quote, else `changed`.
 */
export type ProposalState = 'suggested' | 'applied' | 'fits' | 'changed'

/**
 * The state of a comment's replacement. `anchor` is the current range of the thread's text in `doc`, `isOpen` tests
 * whether a suggested change is undecided. The server compares formulas, images and mentions: text that contains them
 * counts as fitting.
 */
export function readProposal(
  { quote }: Pick<Thread, 'quote'>,
  { replacement, suggested }: Pick<Comment, 'replacement' | 'suggested'>,
  doc: Node,
  anchor: Stretch | undefined,
  isOpen: (change: string) => boolean,
): ProposalState {
  if (suggested !== undefined && isOpen(suggested)) return 'suggested'
  const text = anchor && acceptedText(doc, anchor)
  if (!text) return 'changed'
  if (text.words === replacement) return 'applied'
  return text.words === quote || text.hasAtoms ? 'fits' : 'changed'
}

/** The text of a range with all suggested changes accepted, and whether it contains other content than text. */
function acceptedText(doc: Node, { from, to }: Stretch): { words: string; hasAtoms: boolean } {
  let words = ''
  let hasAtoms = false
  let isFirst = true
  doc.nodesBetween(from, to, (node, pos) => {
    if (node.isTextblock) {
      if (!isFirst) words += '\n'
      isFirst = false
      return true
    }
    if (node.marks.some(({ type }) => type.name === 'deletion')) return false
    if (node.isText) words += node.text?.slice(Math.max(0, from - pos), to - pos) ?? ''
    else if (node.type.name === 'hardBreak') words += '\n'
    else if (node.isLeaf) hasAtoms = true
    return true
  })
  return { words, hasAtoms }
}
