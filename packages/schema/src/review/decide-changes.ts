import { AddMarkStep, AttrStep, RemoveMarkStep, type Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { decideNode, type Outcome } from './decide-node.ts'
import { type Edit, runEdits } from './edits.ts'
import { sameValue } from './node-state.ts'

/** Above this many edits in one text block, its text is replaced in one edit: each edit copies the block's content. */
const editsInTextBlock = 100

/**
 * Accepts or rejects suggested changes: a transform on `doc` in small steps, rightmost first. Ids that the document
 * doesn't contain have no effect; changes with other ids are kept. Text that others typed into a removed block is kept,
 * in its block. Uses the same rules as `resolveChanges` (docs/specs/suggestions.md).
 */
export function decideChanges(doc: Node, ids: ReadonlySet<string> | 'all', decision: 'accept' | 'reject'): Transform {
  const edits: Edit[] = []
  // The document has no opening token, so its content begins where that of a node at -1 would.
  collect(decideNode(doc, { decision, ids }), -1, edits)
  return runEdits(doc, edits)
}

/**
 * A decision that only changes or removes blocks of a document: for each affected block its index, and the new block
 * with the transform of only this block; undefined for a removed block. `doc` is the document after the decision.
 */
export type DecidedBlocks = {
  doc: Node
  blocks: readonly { index: number; after: Node; transform: Transform }[]
  removed: readonly number[]
}

/**
 * The same decision block by block: the cost of a step of a transform on the whole document grows with the number of
 * its blocks, which is too much for thousands of decisions. `undefined` if a block changes its type, or if other edits
 * are needed.
 */
export function decideBlocks(
  doc: Node,
  ids: ReadonlySet<string> | 'all',
  decision: 'accept' | 'reject',
): DecidedBlocks | undefined {
  const { after, children, filler } = decideNode(doc, { decision, ids })
  if (!after || filler.size > 0) return undefined
  const blocks: DecidedBlocks['blocks'][number][] = []
  const removed: number[] = []
  for (const [index, child] of children.entries()) {
    if (child.after === child.before) continue
    if (!child.after) removed.push(index)
    else if (child.after.type !== child.before.type) return undefined
    else {
      const edits: Edit[] = []
      collectContent(child, child.after, 0, child.before.content.size, edits)
      blocks.push({ index, after: child.after, transform: runEdits(child.before, edits) })
    }
  }
  return { doc: after, blocks, removed }
}

// In document order; the edit that is written last (the markup of a block whose content must fit it first) comes first.
function collect(outcome: Outcome, pos: number, edits: Edit[]): void {
  const { before, after } = outcome
  if (after === before) return
  const end = pos + before.nodeSize
  if (!after) edits.push((transform) => transform.delete(pos, end))
  else if (before.isInline && after.type !== before.type)
    edits.push((transform) => transform.replaceWith(pos, end, after))
  else if (before.isInline) collectInline(before, after, pos, edits)
  else {
    collectMarkup(before, after, pos, edits)
    collectContent(outcome, after, pos + 1, end - 1, edits)
  }
}

function collectContent(outcome: Outcome, after: Node, start: number, finish: number, edits: Edit[]): void {
  const { before, children, filler } = outcome
  const [first] = children
  if (filler.size > 0 && first?.after) edits.push((transform) => transform.replaceWith(start, finish, after.content))
  else if (before.inlineContent) collectInlineContent(outcome, after, start, edits)
  else collectChildren(outcome, start, edits)
}

function collectInlineContent(outcome: Outcome, after: Node, start: number, edits: Edit[]): void {
  const own: Edit[] = []
  const isMany = outcome.children.filter((child) => child.after !== child.before).length > editsInTextBlock
  if (!isMany) collectChildren(outcome, start, own)
  else if (!collectDeletions(outcome, start, own)) own.splice(0, Infinity, rewrite(outcome, after, start))
  // A spread of the content of a hostile block would overflow the stack.
  for (const edit of own) edits.push(edit)
}

// Merges deletions of adjacent children into one edit, which doesn't affect other content. `false` if there are other
// edits, or still too many.
function collectDeletions({ children }: Outcome, start: number, edits: Edit[]): boolean {
  let pos = start
  let from: number | undefined
  for (const { before, after } of children) {
    if (after && after !== before) return false
    if (after && from !== undefined) edits.push(deletion(from, pos))
    from = after ? undefined : (from ?? pos)
    pos += before.nodeSize
  }
  if (from !== undefined) edits.push(deletion(from, pos))
  return edits.length <= editsInTextBlock
}

function deletion(from: number, to: number): Edit {
  return (transform) => transform.delete(from, to)
}

// Content before the first change and after the last is unchanged.
function rewrite({ before, children }: Outcome, after: Node, start: number): Edit {
  const isChanged = (child: Outcome): boolean => child.after !== child.before
  const sizeOf = (part: readonly Outcome[]): number => part.reduce((sum, child) => sum + child.before.nodeSize, 0)
  const leading = sizeOf(children.slice(0, children.findIndex(isChanged)))
  const trailing = sizeOf(children.slice(children.findLastIndex(isChanged) + 1))
  const content = after.content.cut(leading, after.content.size - trailing)
  const [from, to] = [start + leading, start + before.content.size - trailing]
  // Here the block still has its own type, which may not allow the content of the new type.
  if (before.type.validContent(after.content)) return (transform) => transform.replaceWith(from, to, content)
  return (transform) => transform.replaceWith(start - 1, start + before.content.size + 1, after)
}

function collectChildren({ children, filler }: Outcome, start: number, edits: Edit[]): void {
  let pos = start
  children.forEach((child, index) => {
    const [from, to] = [pos, pos + child.before.nodeSize]
    if (index === 0 && filler.size > 0) edits.push((transform) => transform.replaceWith(from, to, filler))
    else collect(child, from, edits)
    pos = to
  })
}

function collectMarkup(before: Node, after: Node, pos: number, edits: Edit[]): void {
  if (after.type !== before.type) {
    edits.push((transform) => transform.setNodeMarkup(pos, after.type, after.attrs, after.marks))
    return
  }
  for (const [name, value] of Object.entries(after.attrs)) {
    if (!sameValue(value, before.attrs[name])) edits.push((transform) => transform.step(new AttrStep(pos, name, value)))
  }
}

function collectInline(before: Node, after: Node, pos: number, edits: Edit[]): void {
  const end = pos + before.nodeSize
  collectMarkup(before, after, pos, edits)
  for (const mark of after.marks) {
    if (!mark.isInSet(before.marks)) edits.push((transform) => transform.step(new AddMarkStep(pos, end, mark)))
  }
  for (const mark of before.marks) {
    if (!mark.isInSet(after.marks)) edits.push((transform) => transform.step(new RemoveMarkStep(pos, end, mark)))
  }
}
