import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import { AddMarkStep, AttrStep, RemoveMarkStep, type Step, type Transform } from 'prosemirror-transform'
import type { Block } from './blocks.ts'

/** A range of ProseMirror positions. */
export type Range = { from: number; to: number }

/** The old content from `from` to `to` corresponds to the new content from `start` to `end`. */
type Span = Range & { start: number; end: number }

/** The ranges that a transform changes, in the document before it and in the document after it, in order. */
export function changedRanges(transform: Transform): { before: Range[]; after: Range[] } {
  const spans: Span[] = []
  transform.steps.forEach((step, index) => {
    // The changes of a step refer to positions before it: processed from the last to the first, they keep these
    // positions.
    for (const { from, to, size } of changesOf(step, transform.docs[index]).toReversed()) addSpan(spans, from, to, size)
  })
  return {
    before: spans.map(({ from, to }) => ({ from, to })),
    after: spans.map(({ start, end }) => ({ from: start, to: end })),
  }
}

/** Records that the new content from `start` to `end` is replaced by content of this size. */
function addSpan(spans: Span[], start: number, end: number, size: number): void {
  const grown = size - (end - start)
  const first = firstIndex(spans, (span) => span.end >= start)
  const next = firstIndex(spans, (span) => span.start > end)
  const shiftOf = (index: number): number => {
    const span = spans[index]
    return span ? span.end - span.to : 0
  }
  const head = first < next ? spans[first] : undefined
  const tail = first < next ? spans[next - 1] : undefined
  const merged: Span = {
    from: head && head.start <= start ? head.from : start - shiftOf(first - 1),
    to: tail && tail.end >= end ? tail.to : end - shiftOf(next - 1),
    start: Math.min(head?.start ?? start, start),
    end: Math.max(tail?.end ?? end, end) + grown,
  }
  spans.splice(first, next - first, merged)
  if (grown === 0) return
  for (let index = first + 1; index < spans.length; index++) {
    const span = spans[index]
    if (span) spans[index] = { ...span, start: span.start + grown, end: span.end + grown }
  }
}

function changesOf(step: Step, doc: Node | undefined): { from: number; to: number; size: number }[] {
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) {
    return [{ from: step.from, to: step.to, size: step.to - step.from }]
  }
  if (step instanceof AttrStep) {
    const size = sizeToBlock(doc?.nodeAt(step.pos))
    return [{ from: step.pos, to: step.pos + size, size }]
  }
  const changes: { from: number; to: number; size: number }[] = []
  step.getMap().forEach((from, to, start, end) => changes.push({ from, to, size: end - start }))
  return changes
}

// The size of the opening tokens of a node and of its first children down to a block: the block shows their markers.
function sizeToBlock(node: Node | null | undefined): number {
  return node?.firstChild && !node.isTextblock ? 1 + sizeToBlock(node.firstChild) : 1
}

/**
 * The blocks that the ranges overlap; a block that is only adjacent to a range doesn't count. `blocks` are in document
 * order.
 */
export function blocksInRanges(blocks: readonly Block[], ranges: readonly Range[]): Block[] {
  const found = new Set<Block>()
  for (const { from, to } of ranges) {
    for (
      let index = firstIndex(blocks, (block) => block.pos + block.node.nodeSize > from);
      index < blocks.length;
      index++
    ) {
      const block = blocks[index]
      if (!block || block.pos >= to) break
      found.add(block)
    }
  }
  return [...found].sort((a, b) => a.index - b.index)
}
