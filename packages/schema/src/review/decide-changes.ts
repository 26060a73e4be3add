import { AddMarkStep, AttrStep, RemoveMarkStep, type Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { decideNode, type Outcome } from './decide-node.ts'
import { type Edit, runEdits } from './edits.ts'
import { sameValue } from './node-state.ts'

/**
 * Accepts or rejects suggested changes: a transform on `doc` in small steps, rightmost first. Ids that the document doesn't hold do
 * nothing; changes of other ids stay. What somebody else typed into a block that goes stays, in its block. The same rules as
 * `resolveChanges` (docs/specs/suggestions.md).
 */
export function decideChanges(doc: Node, ids: ReadonlySet<string> | 'all', decision: 'accept' | 'reject'): Transform {
  const edits: Edit[] = []
  // The document has no opening token, so its content begins where a node's at -1 would.
  collect(decideNode(doc, { decision, ids }), -1, edits)
  return runEdits(doc, edits)
}

// In document order; what is written last (the markup of a block whose content must fit it first) stands first.
function collect(outcome: Outcome, pos: number, edits: Edit[]): void {
  const { before, after, children, filler } = outcome
  if (after === before) return
  const end = pos + before.nodeSize
  if (!after) edits.push((transform) => transform.delete(pos, end))
  else if (before.isInline && after.type !== before.type)
    edits.push((transform) => transform.replaceWith(pos, end, after))
  else if (before.isInline) collectInline(before, after, pos, edits)
  else {
    collectMarkup(before, after, pos, edits)
    const [first] = children
    const [start, finish] = [pos + 1, end - 1]
    if (filler.size > 0 && first?.after) edits.push((transform) => transform.replaceWith(start, finish, after.content))
    else collectChildren(outcome, start, edits)
  }
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
