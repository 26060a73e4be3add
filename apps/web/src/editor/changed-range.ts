import type { Node } from 'prosemirror-model'
import { Mapping, StepMap } from 'prosemirror-transform'

/** The stretch in which two documents differ: `from`–`to` in the later one, and how positions of the earlier one move. */
export type ChangedRange = { from: number; to: number; mapping: Mapping }

/**
 * Compares two documents; null when they are equal. Unlike a transaction's own mapping this also tells what a change by others left
 * alone: the binding replaces the whole document, in which what hasn't changed is still the same node.
 */
export function changedRange(before: Node, after: Node): ChangedRange | null {
  const from = before.content.findDiffStart(after.content)
  const end = before.content.findDiffEnd(after.content)
  if (from === null || end === null) return null
  // In a text that repeats itself the two searches run into each other.
  const overlap = Math.max(0, from - Math.min(end.a, end.b))
  const [oldEnd, newEnd] = [end.a + overlap, end.b + overlap]
  return { from, to: newEnd, mapping: new Mapping([new StepMap([from, oldEnd - from, newEnd - from])]) }
}
