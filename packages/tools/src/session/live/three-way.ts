import { compareDocuments } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { type Mapping, type StepMap, Transform } from 'prosemirror-transform'
import { type Block, blockText } from '../../document/blocks.ts'

/**
 * The changes from `before` to `after`, rebased onto `current`, which others have derived from `before`; `undefined` if
 * they conflict.
 */
export function mergeInto(current: Node, before: Node, after: Node): Transform | undefined {
  const theirs = compareDocuments(before, current).mapping
  const added = insertionsOf(theirs)
  const merged = new Transform(current)
  for (const step of compareDocuments(before, after).steps) {
    const mapped = step.map(theirs)
    if (!mapped || takes(step.getMap(), added)) return undefined
    if (merged.maybeStep(mapped).failed) return undefined
  }
  return merged
}

/** Returns the text that a block of `base` would have in the current document without the streamed content. */
export function textWithout(current: Node, shown: Node, base: Node): (block: Block) => string {
  const without = mergeInto(current, shown, base)?.doc
  const onto = without && compareDocuments(base, without).mapping
  return (block) => {
    const node = onto && without.nodeAt(onto.map(block.pos, 1))
    return blockText(node?.type === block.node.type ? node : block.node)
  }
}

type Span = { from: number; to: number }

/** Insertions as positions of the document before. Steps come rightmost first, so none moves another's. */
function insertionsOf({ maps }: Mapping): Span[] {
  const spans: Span[] = []
  for (const map of maps) map.forEach((from, to, start, end) => end > start && spans.push({ from, to }))
  return spans
}

// A deletion would also remove content that another user has inserted into its middle.
function takes(own: StepMap, added: readonly Span[]): boolean {
  let isTaken = false
  own.forEach((from, to) => {
    if (to > from && added.some((span) => span.from < to && span.to > from)) isTaken = true
  })
  return isTaken
}
