import {
  compareDocuments,
  type Differing,
  differing,
  type InlineReplacement,
  readSuggestions,
  suggestReplacements,
  trackChanges,
} from '@copydesk/schema'
import { Mapping, ReplaceStep, type Step, StepMap, Transform } from '@tiptap/pm/transform'
import { Fragment, type Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { ownChangeAt, type OwnChanges } from './own-changes.ts'

/**
 * The steps from an edited document to one in which the edit is suggested: a transform on `after`. `inline` lists the
 * edits if they are known; otherwise a diff of `before` and `after` finds them, only in the children that differ. An
 * edit in or next to an open change of the same user extends it; other simultaneous edits are one change, except that
 * insertions at several positions of the text (as when all occurrences of a word are replaced) are one change each.
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

// Compares by identity from both ends; at least one child on each side, since no document is empty.
function differingRange(before: Node, after: Node): Differing | undefined {
  if (before.content === after.content) return undefined
  const { first, oldEnd, newEnd } = differing(before.children, after.children)
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

/** A range of one text block of the document before an edit, and its replacement. */
type InlineEdit = Omit<InlineReplacement, 'id'>

const changeMarks: ReadonlySet<string> = new Set(['insertion', 'deletion', 'formattingChange'])

/**
 * The edits of transactions that only type, delete or paste within text blocks, in ranges that don't touch each other:
 * in document order and positions of the document before. `undefined` for all other transactions, which have to be
 * diffed.
 */
export function readInlineEdits(
  transactions: readonly Transaction[],
  isOwn: (id: string) => boolean,
): InlineEdit[] | undefined {
  const edits: InlineEdit[] = []
  const back = new Mapping()
  for (const transaction of transactions) {
    for (const [index, step] of transaction.steps.entries()) {
      const edit = readStep(step, transaction.docs[index], isOwn)
      const moved = edit && moveBack(edit, back)
      if (!moved) return undefined
      edits.push(moved)
      back.appendMap(step.getMap())
    }
  }
  const sorted = edits.toSorted((a, b) => a.from - b.from)
  const isApart = sorted.every((edit, index) => index === 0 || (sorted[index - 1]?.to ?? 0) < edit.from)
  return isApart ? sorted : undefined
}

function readStep(step: Step, doc: Node | undefined, isOwn: (id: string) => boolean): InlineEdit | undefined {
  if (!doc || !(step instanceof ReplaceStep)) return undefined
  const { from, to, slice } = step
  const $from = doc.resolve(from)
  if (slice.openStart > 0 || slice.openEnd > 0 || !$from.parent.isTextblock) return undefined
  if (to > $from.end() || !isPlain(slice.content, isOwn)) return undefined
  return { from, to, content: slice.content }
}

// Content with suggestions other than own insertions was moved here; the diff determines their authors.
function isPlain(content: Fragment, isOwn: (id: string) => boolean): boolean {
  return content.content.every((node) => {
    if (!node.isInline || readSuggestions(node.attrs.suggestion).length > 0) return false
    const marks = node.marks.filter(({ type }) => changeMarks.has(type.name))
    return marks.every(({ type, attrs }) => type.name === 'insertion' && isOwn(String(attrs.id)))
  })
}

// Maps an edit to the document before all steps so far; undefined if a step changes text that another step has written.
function moveBack({ from, to, content }: InlineEdit, done: Mapping): InlineEdit | undefined {
  const inverse = done.invert()
  const [start, end] = [inverse.mapResult(from, 1), inverse.mapResult(to, -1)]
  if (start.deletedAcross || end.deletedAcross) return undefined
  if (end.pos < start.pos || end.pos - start.pos !== to - from) return undefined
  return { from: start.pos, to: end.pos, content }
}
