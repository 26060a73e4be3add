import { Fragment, type Node } from 'prosemirror-model'
import { type Step, StepMap, StepResult, Transform } from 'prosemirror-transform'
import type { Range } from './changed-ranges.ts'
import type { DocumentView } from './document-view.ts'
import type { Child } from './outline.ts'

/**
 * Changes one child of a document through a document that contains only that child, and adds the same steps to
 * `transform`. A step in a document of thousands of blocks then costs the same as in a document of one block: positions
 * are resolved only in the child. `child` is its location in `transform.doc`. `change` uses positions of the small
 * document: those of the large one minus the child's position.
 */
export function changeChild(transform: Transform, child: Child, change: (local: Transform) => void): void {
  const local = new Transform(documentOf(transform.doc, child))
  change(local)
  addSteps(transform, child, local)
}

/**
 * A transform of a view's document, built by `make` for a range. If the range is in one child, `make` gets the document
 * that contains only that child, and the range in it.
 */
export function transformRange(
  view: DocumentView,
  range: Range,
  make: (doc: Node, range: Range) => Transform,
): Transform {
  const child = view.childAt(range.from)
  const end = child && view.starts[child.index + 1]
  if (!child || end === undefined || range.from <= child.position || range.to >= end) return make(view.doc, range)
  const transform = new Transform(view.doc)
  const local = { from: range.from - child.position, to: range.to - child.position }
  addSteps(transform, child, make(documentOf(view.doc, child), local))
  return transform
}

/** The document that contains only one child of a document. */
export function documentOf(doc: Node, { index }: Pick<Child, 'index'>): Node {
  return doc.copy(Fragment.from(doc.child(index)))
}

/** Adds the steps of a transform of the document that contains only one child of `transform.doc`. */
export function addSteps(transform: Transform, { index, position }: Child, local: Transform): void {
  const offset = StepMap.offset(position)
  local.steps.forEach((step, number) => {
    const moved = step.map(offset)
    if (!moved) throw new Error('a step fell out of its document')
    const { doc } = transform
    const before = local.docs[number] ?? local.before
    const after = local.docs[number + 1] ?? local.doc
    transform.step(withOutcome(moved, doc, doc.copy(replaceChildren(doc.content, index, before.childCount, after))))
  })
}

function replaceChildren(content: Fragment, index: number, count: number, by: Node): Fragment {
  if (count === 1 && by.firstChild && by.childCount === 1) return content.replaceChild(index, by.firstChild)
  const children = content.content
  return Fragment.fromArray([...children.slice(0, index), ...by.children, ...children.slice(index + count)])
}

// A step with its known result on one document; on any other document it behaves like the original step.
function withOutcome(step: Step, before: Node, after: Node): Step {
  const apply = step.apply.bind(step)
  step.apply = (doc) => (doc === before ? StepResult.ok(after) : apply(doc))
  return step
}
