import { Fragment, type Node } from 'prosemirror-model'
import { TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { asUndoStep } from '../typing/undo.ts'
import { type BlockMatches, captionOf, type Match, startOfText } from './find-matches.ts'

const mostPasses = 40

/** Replaces one match; the replacement gets the marks of the first replaced character. */
export function replaceMatch(view: EditorView, { from, to, caption }: Match, words: string): void {
  const { tr, doc, schema } = view.state
  const image = caption && doc.nodeAt(from)
  if (image) view.dispatch(tr.setNodeAttribute(from, 'title', replacedCaption(image, [caption], words)))
  else if (words === '') view.dispatch(tr.delete(from, to))
  else view.dispatch(tr.replaceWith(from, to, schema.text(words, doc.nodeAt(from)?.marks)))
}

/** Replaces every match as one update for peers and one undo step. Returns the number of matches. */
export function replaceAll(view: EditorView, found: readonly BlockMatches[], words: string): number {
  const ordinals = numberBlocks(view.state.doc)
  const work = found.map(({ start, spans }) => ({ ordinal: ordinals.get(start) ?? -1, spans }))
  const passes = Math.min(mostPasses, Math.max(0, ...found.map(({ spans }) => spans.length)))
  asUndoStep(view.state, () => {
    for (let pass = 0; pass < passes; pass += 1)
      view.dispatch(replaceInPass(view, work, pass, pass === passes - 1, words))
  })
  return work.reduce((count, { spans }) => count + spans.length, 0)
}

type BlockReplacement = { ordinal: number; spans: BlockMatches['spans'] }

// One match per block in each pass, from the block's end: two in one pass would reach peers as one long change that
// deletes their typing in between.
function replaceInPass(
  view: EditorView,
  work: readonly BlockReplacement[],
  pass: number,
  isLast: boolean,
  words: string,
): Transaction {
  const { doc, selection, tr } = view.state
  const starts = [...numberBlocks(doc).keys()]
  const due = new Map<number, BlockMatches['spans']>()
  for (const { ordinal, spans } of work) {
    const left = spans.slice(0, spans.length - pass)
    const start = starts[ordinal]
    if (start !== undefined && left.length > 0) due.set(start, isLast ? left : left.slice(-1))
  }
  const { from, to, content } = changedPart(doc, rewrite(doc, 0, due, words))
  if (content.size === 0) return tr
  // As one step: code that examines each of ten thousand steps would take minutes.
  tr.replaceWith(from, to, content)
  const shifting = new Map([...due].filter(([start]) => doc.resolve(start).parent.isTextblock))
  const move = (position: number) => tr.doc.resolve(position + shiftAt(shifting, position, words.length))
  return selection instanceof TextSelection
    ? tr.setSelection(TextSelection.between(move(selection.anchor), move(selection.head)))
    : tr
}

/**
 * A node with the replacements applied; nodes without matches stay the same objects. `start` is the position of its
 * content.
 */
function rewrite(node: Node, start: number, due: Map<number, BlockMatches['spans']>, words: string): Node {
  if (node.type.name === 'image') {
    const spans = due.get(start - 1)
    return spans ? node.type.create({ ...node.attrs, title: replacedCaption(node, spans, words) }) : node
  }
  if (node.isTextblock) {
    const spans = due.get(start)
    return spans ? node.copy(replaceSpans(node, spans, words)) : node
  }
  const children: Node[] = []
  node.forEach((child, offset) => children.push(rewrite(child, start + offset + 1, due, words)))
  return children.every((child, index) => child === node.child(index)) ? node : node.copy(Fragment.from(children))
}

function replacedCaption(image: Node, spans: BlockMatches['spans'], words: string): string | null {
  const replaced = spans.reduceRight(
    (text, [from, to]) => text.slice(0, from) + words + text.slice(to),
    captionOf(image),
  )
  return replaced || null
}

function replaceSpans(block: Node, spans: BlockMatches['spans'], words: string): Fragment {
  let { content } = block
  for (const [from, to] of spans.toReversed()) {
    const text = words === '' ? [] : block.type.schema.text(words, block.nodeAt(from)?.marks)
    content = content.cut(0, from).append(Fragment.from(text)).append(content.cut(to))
  }
  return content
}

function changedPart(before: Node, after: Node): { from: number; to: number; content: Fragment } {
  let first = 0
  let last = before.childCount
  while (first < last && before.child(first) === after.child(first)) first += 1
  while (last > first && before.child(last - 1) === after.child(last - 1)) last -= 1
  const size = (end: number) => before.content.content.slice(0, end).reduce((sum, { nodeSize }) => sum + nodeSize, 0)
  return { from: size(first), to: size(last), content: Fragment.from(after.content.content.slice(first, last)) }
}

// The distance by which the preceding replacements shift a position; a position inside a match maps to its end.
function shiftAt(due: Map<number, BlockMatches['spans']>, position: number, length: number): number {
  let shift = 0
  for (const [start, spans] of due) {
    for (const [from, to] of spans) {
      if (start + to <= position) shift += length - (to - from)
      else if (start + from < position) shift += start + from + length - position
    }
  }
  return shift
}

/** The `start` of each text block and image, with its number in the document. */
function numberBlocks(doc: Node): Map<number, number> {
  const numbers = new Map<number, number>()
  doc.descendants((node, position) => {
    const start = startOfText(node, position)
    if (start !== undefined) numbers.set(start, numbers.size)
    return start === undefined
  })
  return numbers
}
