import type { Node } from 'prosemirror-model'
import type { Comment, Thread } from '@copydesk/protocol'
import type { Stretch } from '../text/anchors.ts'

/**
 * What can be done with the wording that a comment proposes: `suggested` while the change that was made of it is open,
 * `applied` when the text already reads so, `fits` while the text is still what the comment quotes, else `changed`.
 */
export type ProposalState = 'suggested' | 'applied' | 'fits' | 'changed'

/**
 * The state of a comment's replacement. `anchor` is the present range of the thread's text in `doc`, `isOpen` says
 * which suggested changes are undecided. The server compares formulas, images and mentions: with them the text fits.
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

/** The words of a range with all suggested changes accepted, and whether it holds anything else than words. */
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
