import type { Transform } from '@tiptap/pm/transform'
import { Fragment, type Node } from 'prosemirror-model'
import { type Edit, runEdits } from './edits.ts'
import { isHidden, suggestDeletion, suggestInsertion } from './suggest-nodes.ts'

/** Inline content that takes the place of a stretch of one text block, in positions of the document before, under the id of a change. */
export type InlineReplacement = { from: number; to: number; content: Fragment; id: string }

/**
 * Replacements as suggested changes, exactly where they were made: what goes is deleted as a whole and what comes stands behind it,
 * also where both begin alike. Where it isn't known what somebody has done, `trackChanges` finds it out by comparing. `replacements`
 * stand in document order and don't touch each other. The author's own insertions go for good; text that is deleted already stays.
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
  const gone = $from.parent.content.cut($from.parentOffset, $from.parentOffset + to - from)
  gone.forEach((node, offset) => {
    if (!isHidden(node)) edits.push(...suggestDeletion(node, from + offset, id, options))
  })
  const come = Fragment.fromArray(content.content.flatMap((node) => suggestInsertion(node, id, options) ?? []))
  if (come.size > 0) edits.push((transform) => transform.insert(to, come))
  return edits
}
