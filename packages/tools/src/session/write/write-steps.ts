import { type BindingMetadata, differing, writeFragment } from '@copydesk/schema'
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
import { elementsOf } from '../../document/blocks.ts'
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
 * The parts of a fragment that writing needs; the last two, if the caller has them, avoid a walk through the whole
 * fragment.
 */
export type WriteSource = {
  readonly metadata: BindingMetadata
  /** The children of the fragment. */
  children?(): readonly Y.XmlElement[]
  /** The position where each child of the document begins, followed by its end. */
  starts?(): readonly number[]
}

/**
 * Writes a transform into the fragment, step by step and in one Yjs transaction if the caller has opened one; the
 * fragment must match the document that the transform starts from. Steps that only touch text, marks, attributes or
 * whole nodes are written directly; others go through y-prosemirror's comparison of the whole document. Types that the
 * steps touched are dropped from the mapping.
 */
export function applyTransform(fragment: Y.XmlFragment, transform: Transform, source: WriteSource): void {
  const { metadata } = source
  let layout = createLayout(fragment, source)
  transform.steps.forEach((step, index) => {
    const before = transform.docs[index] ?? transform.before
    const after = transform.docs[index + 1] ?? transform.doc
    const inside = layout && withinChild(step, before, after, layout)
    metadata.mapping.delete(fragment)
    if (layout && inside && writeStep({ ...inside.place, metadata, childrenOf: layout.childrenOf }, inside.step)) {
      const isMoving = step.getMap() !== StepMap.empty
      if (isMoving && !keepsElements(inside.step, inside.place.before)) layout.childrenOf = listFrom(fragment, layout)
      shift(layout.starts, inside.child, after.content.size - before.content.size)
      return
    }
    const childrenOf = layout?.childrenOf ?? createChildList()
    if (!writeStep({ fragment, before, after, metadata, childrenOf }, step)) writeFragment(fragment, after, metadata)
    if (step.getMap() !== StepMap.empty) layout = undefined
  })
}

/** The children of a fragment and their positions, while a transform is written. */
type Layout = { children: readonly Y.XmlElement[]; starts: number[]; childrenOf: ChildList }

function createLayout(fragment: Y.XmlFragment, source: WriteSource): Layout | undefined {
  if (!source.children || !source.starts) return undefined
  const listed = { children: source.children(), starts: source.starts().slice() }
  return { ...listed, childrenOf: listFrom(fragment, listed) }
}

function listFrom(fragment: Y.XmlFragment, { children }: Pick<Layout, 'children'>): ChildList {
  return createChildList(new Map([[fragment, children]]))
}

function shift(starts: number[], child: number, by: number): void {
  if (by === 0) return
  for (let index = child + 1; index < starts.length; index++) starts[index] = (starts[index] ?? 0) + by
}

/**
 * A step within one child of the document, converted to a step on that child as a whole document: in a document of
 * thousands of blocks it then costs the same as in a short one. `undefined` for steps that change several children, or
 * the child itself.
 */
function withinChild(step: Step, before: Node, after: Node, { children, starts }: Layout) {
  const { first: child, oldEnd, newEnd } = differing(before.children, after.children)
  const [type, start] = [children[child], starts[child]]
  if (!type || start === undefined || children.length !== before.childCount) return undefined
  if (oldEnd !== child + 1 || newEnd !== child + 1) return undefined
  const node = before.child(child)
  const local = isInside(step, start, start + node.nodeSize) ? step.map(StepMap.offset(-start - 1)) : null
  return local && { step: local, child, place: { fragment: type, before: node, after: after.child(child) } }
}

function isInside(step: Step, start: number, end: number): boolean {
  if (step instanceof AttrStep) return step.pos > start
  const hasRange = step instanceof ReplaceStep || step instanceof AddMarkStep || step instanceof RemoveMarkStep
  return hasRange && step.from > start && step.to < end
}

// A step inside one text block doesn't change the elements outside it.
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

// Only inserts or only removes whole nodes.
function writeNodeStep({ fragment, before, metadata, childrenOf }: Place, step: ReplaceStep): boolean {
  const { slice, from, to } = step
  if (slice.openStart > 0 || slice.openEnd > 0 || (slice.size > 0 && from !== to)) return false
  const $from = before.resolve(from)
  const $to = before.resolve(to)
  const isBetweenNodes = !$from.parent.inlineContent && $from.sameParent($to) && $from.textOffset + $to.textOffset === 0
  if (!isBetweenNodes) return false
  const path = typePath(fragment, before, from, childrenOf)
  const parent = path.at(-1)
  // The empty paragraph of an empty fragment has no Y type.
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
  const visit = (node: Node, pos: number): boolean => {
    if (!node.isTextblock) return true
    const path = typePath(fragment, before, pos + 1, childrenOf)
    const block = path.at(-1)
    const from = Math.max(0, step.from - pos - 1)
    const to = Math.min(node.content.size, step.to - pos - 1)
    if (block instanceof Y.XmlElement) texts.push({ block, path, from, to })
    else isWhole = false
    return false
  }
  if (visit(before, -1)) before.nodesBetween(step.from, step.to, visit)
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

// A `setNodeMarkup` step for a node that keeps its type: only its attributes differ.
function keepsType({ from, to, gapFrom, gapTo, insert, slice }: ReplaceAroundStep, before: Node): boolean {
  const isShell = gapFrom === from + 1 && gapTo === to - 1 && insert === 1 && slice.content.childCount === 1
  const shell = slice.content.firstChild
  return isShell && shell?.childCount === 0 && shell.type === before.nodeAt(from)?.type
}
