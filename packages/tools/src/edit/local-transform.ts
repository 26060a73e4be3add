import { Fragment, type Node, type Slice } from 'prosemirror-model'
import { ReplaceStep, StepMap, StepResult, Transform } from 'prosemirror-transform'

// A step whose outcome is known already; on any other document it is the step that it says.
class KnownReplaceStep extends ReplaceStep {
  private readonly before: Node
  private readonly after: Node

  constructor(from: number, to: number, slice: Slice, before: Node, after: Node) {
    super(from, to, slice)
    this.before = before
    this.after = after
  }

  override apply(doc: Node): StepResult {
    return doc === this.before ? StepResult.ok(this.after) : super.apply(doc)
  }
}

/**
 * Changes one child of a document through a document that holds only that child, and adds the same steps to `transform`. In
 * a document of thousands of blocks every step then costs what it costs in one: positions are looked up in the child
 * alone. `position` is where the child of this index begins. `change` gets positions of the small document, which are those
 * of the large one less `position`, and must leave one child there.
 */
export function changeChild(
  transform: Transform,
  child: { index: number; position: number },
  change: (local: Transform) => void,
): void {
  const { index, position } = child
  const local = new Transform(transform.doc.copy(Fragment.from(transform.doc.child(index))))
  change(local)
  const offset = StepMap.offset(position)
  local.steps.forEach((step, number) => {
    const moved = step.map(offset)
    const node = (local.docs[number + 1] ?? local.doc).firstChild
    if (!moved || !node) throw new Error('a step within a block removed the block')
    const before = transform.doc
    const isReplace = moved instanceof ReplaceStep
    const after = isReplace ? before.copy(before.content.replaceChild(index, node)) : before
    transform.step(isReplace ? new KnownReplaceStep(moved.from, moved.to, moved.slice, before, after) : moved)
  })
}
