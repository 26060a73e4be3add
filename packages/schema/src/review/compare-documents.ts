import { AddMarkStep, AttrStep, RemoveMarkStep, Transform } from '@tiptap/pm/transform'
import { Fragment, type Node } from 'prosemirror-model'
import { alignBlocks } from '../diff/blocks.ts'
import { type Edit, runEdits } from './edits.ts'
import { differing } from '../diff/sequence.ts'
import { diffText, type Line } from '../diff/text.ts'

/**
 * The difference between two documents as small steps on `before`, rightmost first, so that each step's positions are
 * those of `before`: characters, marks, attributes and whole nodes. Content that both documents share is compared by
 * identity alone.
 */
export function compareDocuments(before: Node, after: Node): Transform {
  try {
    return runEdits(before, compareChildren(before, after, 0))
  } catch (error) {
    // If the content rules refuse the state between two steps, the differing blocks are replaced as a whole.
    if (!(error instanceof Error && refusals.has(error.name))) throw error
    return replaceDiffering(before, after)
  }
}

// The errors that ProseMirror throws for content that doesn't fit; it exports only one of the three.
const refusals: ReadonlySet<string> = new Set(['RangeError', 'TransformError', 'ReplaceError'])

function replaceDiffering(before: Node, after: Node): Transform {
  const { first, oldEnd, newEnd } = differing(before.children, after.children, (old, now) => old.eq(now))
  const sizeTo = (index: number): number =>
    before.children.slice(0, index).reduce((sum, node) => sum + node.nodeSize, 0)
  return new Transform(before).replaceWith(sizeTo(first), sizeTo(oldEnd), after.children.slice(first, newEnd))
}

function compareChildren(before: Node, after: Node, start: number): Edit[] {
  if (before.content === after.content) return []
  const [olds, news] = [before.children, after.children]
  const edits: Edit[] = []
  let [from, at, pos] = [0, 0, start]
  for (const [to, end] of [...alignBlocks(olds, news), [olds.length, news.length] as const]) {
    const gap = olds.slice(from, to).reduce((size, node) => size + node.nodeSize, 0)
    if (gap > 0 || end > at) edits.push(replaceNodes(pos, pos + gap, news.slice(at, end)))
    pos += gap
    const [old, now] = [olds[to], news[end]]
    if (old && now) {
      edits.push(...compareNode(old, now, pos))
      pos += old.nodeSize
    }
    ;[from, at] = [to + 1, end + 1]
  }
  return edits
}

function compareNode(before: Node, after: Node, pos: number): Edit[] {
  if (before === after) return []
  const isContainer = !before.isTextblock && !before.isLeaf
  if (before.type !== after.type && (isContainer || !after.type.validContent(before.content))) {
    return [replaceNodes(pos, pos + before.nodeSize, [after])]
  }
  const content = before.isTextblock ? compareText(before, after, pos + 1) : compareChildren(before, after, pos + 1)
  if (before.type !== after.type) {
    return [...content, (transform) => transform.setNodeMarkup(pos, after.type, after.attrs, after.marks)]
  }
  const changed = Object.entries(after.attrs).filter(([name, value]) => value !== before.attrs[name])
  return [
    ...content,
    ...changed.map(
      ([name, value]): Edit =>
        (tr) =>
          tr.step(new AttrStep(pos, name, value)),
    ),
  ]
}

function replaceNodes(from: number, to: number, nodes: readonly Node[]): Edit {
  return (transform) => (nodes.length === 0 ? transform.delete(from, to) : transform.replaceWith(from, to, [...nodes]))
}

function compareText(before: Node, after: Node, start: number): Edit[] {
  if (before.content.eq(after.content)) return []
  const edits: Edit[] = []
  let [from, at] = [0, 0]
  for (const hunk of [...diffText(lineOf(before), lineOf(after)), undefined]) {
    const kept = (hunk?.from ?? before.content.size) - from
    edits.push(...compareMarks(before, after, { from, at, length: kept }, start))
    if (hunk) {
      const content = after.content.cut(hunk.at, hunk.end)
      edits.push((transform) => transform.replaceWith(start + hunk.from, start + hunk.to, Fragment.from(content)))
    }
    ;[from, at] = [hunk?.to ?? 0, hunk?.end ?? 0]
  }
  return edits
}

// An atom is kept only if it is identical; text may change its marks.
function lineOf(block: Node): Line {
  let text = ''
  const keys: string[] = []
  block.forEach((node) => {
    const words = node.isText ? (node.text ?? '') : '\uFFFC'
    const key = node.isText ? '' : JSON.stringify(node.toJSON())
    text += words
    for (let index = 0; index < words.length; index++) keys.push(key)
  })
  return { text, keys }
}

type KeptRange = { from: number; at: number; length: number }

function compareMarks(before: Node, after: Node, { from, at, length }: KeptRange, start: number): Edit[] {
  const edits: Edit[] = []
  for (let done = 0; done < length;) {
    const old = before.childAfter(from + done)
    const now = after.childAfter(at + done)
    const [a, b] = [old.node, now.node]
    if (!a || !b) break
    const rest = Math.min(old.offset + a.nodeSize - from, now.offset + b.nodeSize - at, length) - done
    const [first, last] = [start + from + done, start + from + done + rest]
    for (const mark of b.marks) {
      if (!mark.isInSet(a.marks)) edits.push((transform) => transform.step(new AddMarkStep(first, last, mark)))
    }
    // Edits run in reverse order: old marks are removed before new ones are added.
    for (const mark of a.marks) {
      if (!mark.isInSet(b.marks)) edits.push((transform) => transform.step(new RemoveMarkStep(first, last, mark)))
    }
    done += rest
  }
  return edits
}
