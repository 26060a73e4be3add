import { compareDocuments } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { type StepMap, Transform } from 'prosemirror-transform'
import { type Block, blockText } from './blocks.ts'

/**
 * What turns `before` into `after`, carried over to `current`, which others have made of `before`; `undefined` if they have changed the
 * very places.
 */
export function mergeInto(current: Node, before: Node, after: Node): Transform | undefined {
  const theirs = compareDocuments(before, current).mapping
  const merged = new Transform(current)
  for (const step of compareDocuments(before, after).steps) {
    const mapped = step.map(theirs)
    if (!mapped || !keepsTheirs(step.getMap(), mapped.getMap())) return undefined
    if (merged.maybeStep(mapped).failed) return undefined
  }
  return merged
}

/** What the blocks of `base` would read in the current document without what has been shown. */
export function textWithout(current: Node, shown: Node, base: Node): (block: Block) => string {
  const without = mergeInto(current, shown, base)?.doc
  const onto = without && compareDocuments(base, without).mapping
  return (block) => {
    const node = onto && without.nodeAt(onto.map(block.pos, 1))
    return blockText(node?.type === block.node.type ? node : block.node)
  }
}

// A deletion that has grown on the way would take what somebody has put into the middle of it.
function keepsTheirs(own: StepMap, mapped: StepMap): boolean {
  let before = 0
  let after = 0
  own.forEach((from, to) => (before += to - from))
  mapped.forEach((from, to) => (after += to - from))
  return after <= before
}
