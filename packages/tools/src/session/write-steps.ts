import { type BindingMetadata, writeFragment } from '@copydesk/schema'
import type { Mark, Node } from 'prosemirror-model'
import {
  AddMarkStep,
  AttrStep,
  RemoveMarkStep,
  ReplaceAroundStep,
  ReplaceStep,
  type Step,
  StepMap,
  type Transform,
} from 'prosemirror-transform'
import * as Y from 'yjs'
import { elementsOf } from './blocks.ts'
import { writeTextStep } from './text-step.ts'
import {
  type ChildList,
  createChildList,
  createTypes,
  inlineSize,
  storedMark,
  typePath,
  writeAttributes,
} from './y-types.ts'

/**
 * Writes a transform into the fragment, step by step and in one Yjs transaction if the caller has opened one; the fragment must read
 * as the document that the transform starts from. Steps that only touch text, marks, attributes or whole nodes write just that;
 * others go through y-prosemirror's comparison of the whole document. What the steps touched is dropped from `metadata.mapping`.
 * `children` are the fragment's, if the caller has them listed.
 */
export function applyTransform(
  fragment: Y.XmlFragment,
  transform: Transform,
  metadata: BindingMetadata,
  children?: readonly Y.XmlElement[],
): void {
  let childrenOf = createChildList(new Map(children ? [[fragment, children]] : []))
  transform.steps.forEach((step, index) => {
    const before = transform.docs[index] ?? transform.before
    const after = transform.docs[index + 1] ?? transform.doc
    if (!writeStep({ fragment, before, after, metadata, childrenOf }, step)) writeFragment(fragment, after, metadata)
    if (step.getMap() !== StepMap.empty) childrenOf = keepsElements(step, before) ? childrenOf : createChildList()
  })
}

// A step inside one text block leaves the elements outside it where they are.
function keepsElements(step: Step, before: Node): boolean {
  if (!(step instanceof ReplaceStep)) return false
  const $from = before.resolve(step.from)
  return $from.parent.inlineContent && $from.sameParent(before.resolve(step.to))
}

type Place = {
  fragment: Y.XmlFragment
  before: Node
  after: Node
  metadata: BindingMetadata
  childrenOf: ChildList
}

function writeStep(place: Place, step: Step): boolean {
  if (step instanceof ReplaceStep) {
    return (
      writeTextStep(place.fragment, step, place.before, place.metadata, place.childrenOf) || writeNodeStep(place, step)
    )
  }
  if (step instanceof AddMarkStep) return writeMarkStep(place, step, storedMark(step.mark)[1])
  if (step instanceof RemoveMarkStep) return writeMarkStep(place, step, null)
  if (step instanceof AttrStep) return writeNodeAttributes(place, step.pos)
  return step instanceof ReplaceAroundStep && keepsType(step, place.before) && writeNodeAttributes(place, step.from)
}

// Only new nodes between others, or only nodes taken out.
function writeNodeStep({ fragment, before, metadata, childrenOf }: Place, step: ReplaceStep): boolean {
  const { slice, from, to } = step
  if (slice.openStart > 0 || slice.openEnd > 0 || (slice.size > 0 && from !== to)) return false
  const $from = before.resolve(from)
  const $to = before.resolve(to)
  const isBetweenNodes = !$from.parent.inlineContent && $from.sameParent($to) && $from.textOffset + $to.textOffset === 0
  if (!isBetweenNodes) return false
  const path = typePath(fragment, before, from, childrenOf)
  const parent = path.at(-1)
  // The empty paragraph of an empty fragment stands for nothing in Yjs.
  if (!parent || childrenOf(parent).length !== $from.parent.childCount) return false
  for (const type of path) metadata.mapping.delete(type)
  if (to > from) parent.delete($from.index(), $to.index() - $from.index())
  else parent.insert($from.index(), createTypes(slice.content.content))
  return true
}

function writeMarkStep(place: Place, step: AddMarkStep | RemoveMarkStep, value: Mark['attrs'] | null): boolean {
  const { fragment, before, metadata, childrenOf } = place
  const [name] = storedMark(step.mark)
  const texts: { block: Y.XmlElement; path: Y.XmlFragment[]; from: number; to: number }[] = []
  let isWhole = true
  before.nodesBetween(step.from, step.to, (node, pos) => {
    if (!node.isTextblock) return true
    const path = typePath(fragment, before, pos + 1, childrenOf)
    const block = path.at(-1)
    const from = Math.max(0, step.from - pos - 1)
    const to = Math.min(node.content.size, step.to - pos - 1)
    if (block instanceof Y.XmlElement) texts.push({ block, path, from, to })
    else isWhole = false
    return false
  })
  if (!isWhole) return false
  for (const { block, path, from, to } of texts) {
    for (const type of path) metadata.mapping.delete(type)
    formatRange(block, from, to, { [name]: value }, metadata)
  }
  return true
}

function formatRange(
  block: Y.XmlElement,
  from: number,
  to: number,
  attributes: Record<string, unknown>,
  metadata: BindingMetadata,
): void {
  let start = 0
  for (const child of block.toArray()) {
    const end = start + inlineSize(child)
    const first = Math.max(from, start)
    const last = Math.min(to, end)
    if (child instanceof Y.XmlText && first < last) {
      metadata.mapping.delete(child)
      child.format(first - start, last - first, attributes)
    }
    start = end
  }
}

function writeNodeAttributes({ fragment, before, after, metadata, childrenOf }: Place, pos: number): boolean {
  const node = after.nodeAt(pos)
  const path = typePath(fragment, before, pos, childrenOf)
  const parent = path.at(-1)
  const element = parent && elementAt(parent, before, pos)
  if (!node || !element || element.nodeName !== node.type.name) return false
  for (const type of [...path, element]) metadata.mapping.delete(type)
  writeAttributes(element, node)
  return true
}

function elementAt(parent: Y.XmlFragment, doc: Node, pos: number): Y.XmlElement | undefined {
  const $pos = doc.resolve(pos)
  if (!$pos.parent.inlineContent) return elementsOf(parent)[$pos.index()]
  let start = 0
  for (const child of parent.toArray()) {
    if (start === $pos.parentOffset && child instanceof Y.XmlElement) return child
    start += inlineSize(child)
  }
  return undefined
}

// What `setNodeMarkup` makes of a node that keeps its type: only its attributes differ.
function keepsType({ from, to, gapFrom, gapTo, insert, slice }: ReplaceAroundStep, before: Node): boolean {
  const isShell = gapFrom === from + 1 && gapTo === to - 1 && insert === 1 && slice.content.childCount === 1
  const shell = slice.content.firstChild
  return isShell && shell?.childCount === 0 && shell.type === before.nodeAt(from)?.type
}
