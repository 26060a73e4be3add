import { compareDocuments, type InlineReplacement, suggestReplacements, trackChanges } from '@copydesk/schema'
import { type Mapping, ReplaceStep, StepMap, Transform } from '@tiptap/pm/transform'
import { Fragment, type Node } from 'prosemirror-model'
import type { InlineEdit } from './inline-edits.ts'
import { ownChangeAt } from './own-change-at.ts'
import type { OwnChanges } from './own-changes.ts'

/**
 * The steps that turn an edited document into one in which the edit is suggested: a transform on `after`. `inline`
 * lists the edits if they are known; otherwise a diff of `before` and `after` finds them, only in the children that
 * differ. An edit that touches an open change of the same user extends it; other simultaneous edits are one change,
 * except that insertions at several positions of the text (as when all occurrences of a word are replaced) are one
 * change each.
 */
export function trackEdit(
  before: Node,
  after: Node,
  inline: readonly InlineEdit[] | undefined,
  own: OwnChanges,
): Transform {
  const transform = new Transform(after)
  const range = differingRange(before, after)
  if (!range) return transform
  if (inline) return addInline(transform, before, inline, own)
  const [first, last] = changedStretch(before, after)
  let id: string | undefined
  const idAt = () => (id ??= ownChangeAt(before, first, last, own.isOwn) ?? own.create())
  const [old, now] = [part(before, range.first, range.oldEnd), part(after, range.first, range.newEnd)]
  const tracked = trackChanges(old, now, { idAt, isOwn: own.isOwn })
  const offset = StepMap.offset(sizeBefore(after, range.first))
  for (const step of compareDocuments(now, tracked.doc).steps) {
    const moved = step.map(offset)
    if (moved) transform.step(moved)
  }
  return transform
}

function addInline(transform: Transform, before: Node, edits: readonly InlineEdit[], own: OwnChanges): Transform {
  const replacements = edits.map((edit): InlineReplacement => {
    const id = ownChangeAt(before, edit.from, edit.to, own.isOwn) ?? own.create()
    return { ...edit, id }
  })
  const tracked = suggestReplacements(before, replacements, own.isOwn)
  let shift = edits.reduce((sum, { from, to, content }) => sum + content.size - (to - from), 0)
  for (const { from, to, content } of replacements.toReversed()) {
    shift -= content.size - (to - from)
    const [start, end] = stretchAfter(tracked.mapping, from, to)
    const slice = tracked.doc.slice(start, end)
    const at = from + shift
    // As a step, since `replace` moves a slice that seems not to fit.
    transform.step(new ReplaceStep(at, at + content.size, slice))
  }
  return transform
}

function stretchAfter(mapping: Mapping, from: number, to: number): [number, number] {
  return [mapping.map(from, -1), mapping.map(to, 1)]
}

type DifferingRange = { first: number; oldEnd: number; newEnd: number }

// Compares by identity from both ends; at least one child on each side, since no document is empty.
function differingRange(before: Node, after: Node): DifferingRange | undefined {
  if (before.content === after.content) return undefined
  const [olds, news] = [before.children, after.children]
  let first = 0
  let [oldEnd, newEnd] = [olds.length, news.length]
  while (first < oldEnd && first < newEnd && olds[first] === news[first]) first++
  while (oldEnd > first && newEnd > first && olds[oldEnd - 1] === news[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  if (oldEnd === first && newEnd === first) return undefined
  if (oldEnd > first && newEnd > first) return { first, oldEnd, newEnd }
  return first > 0 ? { first: first - 1, oldEnd, newEnd } : { first, oldEnd: oldEnd + 1, newEnd: newEnd + 1 }
}

function part(doc: Node, from: number, to: number): Node {
  return doc.copy(Fragment.fromArray(doc.children.slice(from, to)))
}

function sizeBefore(doc: Node, index: number): number {
  let size = 0
  for (let at = 0; at < index; at++) size += doc.child(at).nodeSize
  return size
}

// In the document before: from the first to the last position at which both differ.
function changedStretch(before: Node, after: Node): [number, number] {
  const start = before.content.findDiffStart(after.content) ?? 0
  const end = before.content.findDiffEnd(after.content)
  return [start, Math.max(start, end?.a ?? start)]
}
