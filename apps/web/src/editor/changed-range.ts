import type { Node } from 'prosemirror-model'
import { Mapping, StepMap } from 'prosemirror-transform'

/** The range in which two documents differ: `from`–`to` in the later one, and how positions of the earlier one map. */
export type ChangedRange = { from: number; to: number; mapping: Mapping }

/**
 * Compares two documents; null when they are equal. Unlike a transaction's own mapping, the result shows what a remote
 * change left unchanged: the binding replaces the whole document, but reuses the unchanged nodes.
 */
export function changedRange(before: Node, after: Node): ChangedRange | null {
  const from = before.content.findDiffStart(after.content)
  const end = before.content.findDiffEnd(after.content)
  if (from === null || end === null) return null
  // In repetitive text the two searches overlap.
  const overlap = Math.max(0, from - Math.min(end.a, end.b))
  const [oldEnd, newEnd] = [end.a + overlap, end.b + overlap]
  return { from, to: newEnd, mapping: new Mapping([new StepMap([from, oldEnd - from, newEnd - from])]) }
}
