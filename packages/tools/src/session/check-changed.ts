import type { Node } from 'prosemirror-model'
import { failure, type ToolFailure } from '../result.ts'

/**
 * Checks a changed document against its schema: only what it doesn't share with the document before, which was checked when it was
 * read. `invalid_operation` says what the document can't take.
 */
export function checkChanged(before: Node, after: Node): ToolFailure | undefined {
  try {
    check(before, after)
    return undefined
  } catch (error) {
    return failure(
      'invalid_operation',
      `The document can't take this change: ${error instanceof Error ? error.message : String(error)}`,
      'Nothing was changed. Make a smaller change, or insert the content before or after the block.',
    )
  }
}

function check(before: Node | undefined, after: Node): void {
  if (before === after) return
  if (!before || after.isLeaf || after.inlineContent) return after.check()
  if (!after.type.validContent(after.content)) throw new RangeError(`invalid content for ${after.type.name}`)
  const { first, oldEnd, newEnd } = differingChildren(before, after)
  for (let index = first; index < newEnd; index++) {
    const old = index < oldEnd ? before.child(index) : undefined
    check(old?.type === after.child(index).type ? old : undefined, after.child(index))
  }
}

function differingChildren(before: Node, after: Node): { first: number; oldEnd: number; newEnd: number } {
  let first = 0
  let oldEnd = before.childCount
  let newEnd = after.childCount
  while (first < oldEnd && first < newEnd && before.child(first) === after.child(first)) first++
  while (oldEnd > first && newEnd > first && before.child(oldEnd - 1) === after.child(newEnd - 1)) {
    oldEnd--
    newEnd--
  }
  return { first, oldEnd, newEnd }
}
