import type { Transform } from '@tiptap/pm/transform'
import { Fragment, type Node } from 'prosemirror-model'
import { type Edit, runEdits } from '../edits.ts'
import { isHidden, suggestDeletion, suggestInsertion } from './suggest-nodes.ts'

/**
 * Inline content that replaces a range of one text block, in positions of the old document, under the id of a change.
 */
export type InlineReplacement = { from: number; to: number; content: Fragment; id: string }

/**
 * Replacements as suggested changes, exactly at their positions: the old content is deleted as a whole and the new
 * content follows it, even if both begin alike. Where the edits aren't known, `trackChanges` derives them by
 * comparison. `replacements` are in document order and don't touch each other. The author's own insertions are removed
 * permanently; text that is already deleted is kept.
 */
export function suggestReplacements(
  doc: Node,
  replacements: readonly InlineReplacement[],
  isOwn: (id: string) => boolean,
): Transform {
  return runEdits(
    doc,
    replacements.flatMap((replacement) => editsOf(doc, replacement, isOwn)),
  )
}

function editsOf(doc: Node, { from, to, content, id }: InlineReplacement, isOwn: (id: string) => boolean): Edit[] {
  const options = { idAt: () => id, isOwn }
  const $from = doc.resolve(from)
  const edits: Edit[] = []
  const deleted = $from.parent.content.cut($from.parentOffset, $from.parentOffset + to - from)
  deleted.forEach((node, offset) => {
    if (!isHidden(node)) edits.push(...suggestDeletion(node, from + offset, id, options))
  })
  const inserted = Fragment.fromArray(content.content.flatMap((node) => suggestInsertion(node, id, options) ?? []))
  if (inserted.size > 0) edits.push((transform) => transform.insert(to, inserted))
  return edits
}
