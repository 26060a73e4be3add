import { Fragment, Mark, type Node, type Schema, Slice } from 'prosemirror-model'
import { AddMarkStep, AttrStep, RemoveMarkStep, ReplaceAroundStep, ReplaceStep, type Step } from 'prosemirror-transform'

/**
 * A node in another schema, by the names of its types. Marks and attributes that the schema lacks are left out, so that
 * every position stays the same. Whether the schema allows the content is not checked.
 * @throws for a node whose type the schema lacks, with its name.
 */
export function convertNode(node: Node, schema: Schema): Node {
  const type = schema.nodes[node.type.name]
  if (!type) throw new Error(`there is no node ${node.type.name} in the schema`)
  const marks = convertMarks(node.marks, schema)
  if (node.isText) return schema.text(node.text ?? '', marks)
  const content = convertFragment(node.content, schema)
  const kept = content.content.map((child) => child.mark(type.allowedMarks(child.marks)))
  return type.create(node.attrs, kept, marks)
}

/**
 * A step in another schema; undefined if it concerns only what that schema lacks. `doc` is the document of that schema
 * to which the step is about to be applied.
 * @throws as `convertNode`.
 */
export function convertStep(step: Step, doc: Node): Step | undefined {
  const { schema } = doc.type
  if (step instanceof ReplaceStep) return new ReplaceStep(step.from, step.to, convertSlice(step.slice, schema))
  if (step instanceof ReplaceAroundStep) {
    const { from, to, gapFrom, gapTo, slice, insert } = step
    return new ReplaceAroundStep(from, to, gapFrom, gapTo, convertSlice(slice, schema), insert)
  }
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) {
    const [mark] = convertMarks([step.mark], schema)
    if (!mark) return undefined
    const Kind = step instanceof AddMarkStep ? AddMarkStep : RemoveMarkStep
    return new Kind(step.from, step.to, mark)
  }
  if (!(step instanceof AttrStep)) throw new RangeError(`a step of this kind can't be converted`)
  const isKnown = Object.hasOwn(doc.nodeAt(step.pos)?.type.spec.attrs ?? {}, step.attr)
  return isKnown ? new AttrStep(step.pos, step.attr, step.value) : undefined
}

function convertSlice(slice: Slice, schema: Schema): Slice {
  return new Slice(convertFragment(slice.content, schema), slice.openStart, slice.openEnd)
}

function convertFragment(fragment: Fragment, schema: Schema): Fragment {
  return Fragment.from(fragment.content.map((child) => convertNode(child, schema)))
}

// `addToSet` drops marks that exclude each other in the other schema, such as a link on code.
function convertMarks(marks: readonly Mark[], schema: Schema): readonly Mark[] {
  return marks.reduce<readonly Mark[]>((kept, mark) => {
    return schema.marks[mark.type.name]?.create(mark.attrs).addToSet(kept) ?? kept
  }, Mark.none)
}
