import { AddMarkStep, AttrStep, RemoveMarkStep, type Step, type Transform } from 'prosemirror-transform'
import type { Block } from './blocks.ts'

/** A range of ProseMirror positions. */
export type Range = { from: number; to: number }

/** What a transform changes, as ranges of the document before it and of the document after it. */
export function changedRanges(transform: Transform): { before: Range[]; after: Range[] } {
  const before: Range[] = []
  const after: Range[] = []
  transform.steps.forEach((step, index) => {
    const back = transform.mapping.slice(0, index).invert()
    const forward = transform.mapping.slice(index + 1)
    for (const change of rangesOf(step)) {
      before.push({ from: back.map(change.old.from, -1), to: back.map(change.old.to, 1) })
      after.push({ from: forward.map(change.new.from, -1), to: forward.map(change.new.to, 1) })
    }
  })
  return { before, after }
}

function rangesOf(step: Step): { old: Range; new: Range }[] {
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) {
    const range = { from: step.from, to: step.to }
    return [{ old: range, new: range }]
  }
  if (step instanceof AttrStep) {
    // The node's opening and that of its first child, which is what of an item has a number.
    const range = { from: step.pos, to: step.pos + 2 }
    return [{ old: range, new: range }]
  }
  const ranges: { old: Range; new: Range }[] = []
  step.getMap().forEach((oldFrom, oldTo, from, to) => {
    ranges.push({ old: { from: oldFrom, to: oldTo }, new: { from, to } })
  })
  return ranges
}

/** The blocks that the ranges reach into; one that a range only borders on doesn't count. */
export function blocksInRanges(blocks: readonly Block[], ranges: readonly Range[]): Block[] {
  return blocks.filter((block) => {
    const end = block.pos + block.node.nodeSize
    return ranges.some((range) => range.from < end && range.to > block.pos)
  })
}
