import { localizable } from '../../common/localizable.ts'
import { checkAttributes, differing } from '@copydesk/schema'
import { Mark, type Node } from 'prosemirror-model'
import { failure, type ToolFailure } from '../../common/result.ts'

/**
 * Checks a changed document against its schema: only the parts that it doesn't share with the previous document, which
 * was checked when it was read. Returns an `invalid_operation` that describes the fault.
 */
export function checkChanged(before: Node, after: Node): ToolFailure | undefined {
  try {
    check(before, after)
    return undefined
  } catch (error) {
    return failure(
      'invalid_operation',
      localizable`The document can't take this change: ${error instanceof Error ? error.message : String(error)}`,
      'Nothing was changed. Make a smaller change, or insert the content before or after the block.',
    )
  }
}

function check(before: Node | undefined, after: Node): void {
  if (before === after) return
  if (!before || after.isLeaf || after.inlineContent) {
    after.check()
    return checkValues(before, after)
  }
  checkOwnValues(before, after)
  const { first, oldEnd, newEnd } = differing(before.children, after.children)
  const olds = before.children.slice(first, oldEnd)
  const news = after.children.slice(first, newEnd)
  if (!isAlike(olds, news) && !after.type.validContent(after.content)) {
    throw new RangeError(`invalid content for ${after.type.name}`)
  }
  news.forEach((node, index) => check(olds[index]?.type === node.type ? olds[index] : undefined, node))
}

// Values that were already invalid in the old block don't prevent a change.
function checkValues(before: Node | undefined, after: Node): void {
  try {
    checkOwnValues(undefined, after)
    after.descendants((node) => checkOwnValues(undefined, node))
  } catch (error) {
    if (!before || isSound(before)) throw error
  }
}

function checkOwnValues(before: Node | undefined, { type, attrs, marks }: Node): void {
  if (before?.attrs !== attrs) checkAttributes(type.name, attrs)
  for (const mark of marks) checkAttributes(mark.type.name, mark.attrs)
}

function isSound(block: Node): boolean {
  try {
    checkValues(undefined, block)
    return true
  } catch {
    return false
  }
}

// Nodes of the same types in the same order, with the same marks, are as valid as the old ones.
function isAlike(olds: readonly Node[], news: readonly Node[]): boolean {
  if (olds.length !== news.length) return false
  return news.every((node, index) => olds[index]?.type === node.type && Mark.sameSet(olds[index].marks, node.marks))
}
