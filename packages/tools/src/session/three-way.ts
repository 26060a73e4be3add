import { compareDocuments } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { type Mapping, type StepMap, Transform } from 'prosemirror-transform'
import { type Block, blockText } from './blocks.ts'

/**
 * What turns `before` into `after`, carried over to `current`, which others have made of `before`; `undefined` if they have changed the
 * very places.
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

/** What the blocks of `base` would read in the current document without what has been shown. */
export function textWithout(current: Node, shown: Node, base: Node): (block: Block) => string {
  const without = mergeInto(current, shown, base)?.doc
  const onto = without && compareDocuments(base, without).mapping
  return (block) => {
    const node = onto && without.nodeAt(onto.map(block.pos, 1))
    return blockText(node?.type === block.node.type ? node : block.node)
  }
}

type Span = { from: number; to: number }

/** Where something has been put in, as places of the document before. Steps come rightmost first, so none moves another's. */
function insertionsOf({ maps }: Mapping): Span[] {
  const spans: Span[] = []
  for (const map of maps) map.forEach((from, to, start, end) => end > start && spans.push({ from, to }))
  return spans
}

// A deletion would take what somebody has put into the middle of it.
function takes(own: StepMap, added: readonly Span[]): boolean {
  let isTaken = false
  own.forEach((from, to) => {
    if (to > from && added.some((span) => span.from < to && span.to > from)) isTaken = true
  })
  return isTaken
}
