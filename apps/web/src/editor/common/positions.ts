import type { Differing } from '@copydesk/schema'
import type { Selection } from '@copydesk/protocol'
import * as buffer from 'lib0/buffer'
import type { Node } from 'prosemirror-model'
import { CellSelection } from '@tiptap/pm/tables'
import { type EditorState, Selection as ProseMirrorSelection } from 'prosemirror-state'
import { Mapping, StepMap } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'

/** Reads a base64 Yjs relative position; undefined if it isn't one. */
export function fromBase64(text: string): Y.RelativePosition | undefined {
  try {
    return Y.decodeRelativePosition(buffer.fromBase64(text))
  } catch {
    return undefined
  }
}

/** Reads a Yjs relative position from JSON; undefined if it isn't one. */
export function fromJson(json: unknown): Y.RelativePosition | undefined {
  try {
    return typeof json === 'object' && json !== null ? Y.createRelativePositionFromJSON(json) : undefined
  } catch {
    return undefined
  }
}

/**
 * The current editor position of a relative position; undefined when its text is deleted or the binding isn't ready.
 */
export function toPosition(state: EditorState, position: Y.RelativePosition | undefined): number | undefined {
  const { doc, type, binding } = ySyncPluginKey.getState(state) ?? {}
  if (!position || !doc || !type || !binding || binding.mapping.size === 0) return undefined
  const found = relativePositionToAbsolutePosition(doc, type, position, binding.mapping)
  return found === null ? undefined : Math.min(Math.max(found, 0), state.doc.content.size)
}

/** A position that survives edits by others; undefined while the binding isn't ready. */
export function toRelative(state: EditorState, position: number): Y.RelativePosition | undefined {
  const { type, binding } = ySyncPluginKey.getState(state) ?? {}
  return type && binding ? absolutePositionToRelativePosition(position, type, binding.mapping) : undefined
}

/**
 * The range in which two documents differ: `from`–`to` in the later one, and the mapping of positions of the earlier
 * one.
 */
type ChangedRange = { from: number; to: number; mapping: Mapping }

/**
 * Compares two documents; null when they are equal. Unlike a transaction's own mapping, the result shows which content
 * a remote change left unchanged: the binding replaces the whole document, but reuses the unchanged nodes.
 */
export function changedRange(before: Node, after: Node): ChangedRange | null {
  const range = differingContent(before, after)
  if (!range) return null
  const { first, oldEnd, newEnd } = range
  return { from: first, to: newEnd, mapping: new Mapping([new StepMap([first, oldEnd - first, newEnd - first])]) }
}

/** The positions in the content of two nodes between which they differ; undefined when they are equal. */
export function differingContent(before: Node, after: Node): Differing | undefined {
  const first = before.content.findDiffStart(after.content)
  const end = before.content.findDiffEnd(after.content)
  if (first === null || !end) return undefined
  // In repetitive text the two searches overlap.
  const overlap = Math.max(0, first - Math.min(end.a, end.b))
  return { first, oldEnd: end.a + overlap, newEnd: end.b + overlap }
}

/**
 * The positions with which a selection is published: for selected cells inside of the two corner cells, which represent
 * all cells between them (`Selected` of `@copydesk/tools`); otherwise its anchor and head.
 */
export function selectionEnds({ doc, selection }: EditorState): { anchor: number; head: number } {
  if (!(selection instanceof CellSelection)) return { anchor: selection.anchor, head: selection.head }
  const { $anchorCell, $headCell } = selection
  const end = $headCell.pos + ($headCell.nodeAfter?.nodeSize ?? 2) - 1
  return {
    anchor: ProseMirrorSelection.near(doc.resolve($anchorCell.pos + 1)).from,
    head: ProseMirrorSelection.near(doc.resolve(end), -1).to,
  }
}

/**
 * The selected text of the editor, blocks and cells separated by `separator`; of a cell selection only the selected
 * cells.
 */
export function selectedText({ doc, selection }: EditorState, separator: string, leaf?: string): string {
  return selectedRanges(selection)
    .map(({ from, to }) => doc.textBetween(from, to, separator, leaf))
    .join(separator)
}

/** The selected ranges, in document order: several for a cell selection. */
export function selectedRanges({ ranges }: ProseMirrorSelection): { from: number; to: number }[] {
  return ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos })).toSorted((a, b) => a.from - b.from)
}

/** The selected range as relative positions that survive edits by others; undefined if the selection is empty. */
export function readRelativeSelection(state: EditorState): Selection | undefined {
  if (state.selection.empty) return undefined
  const { anchor, head } = selectionEnds(state)
  const [relativeAnchor, relativeHead] = [toRelative(state, anchor), toRelative(state, head)]
  const encode = (position: Y.RelativePosition) => buffer.toBase64(Y.encodeRelativePosition(position))
  return relativeAnchor && relativeHead && { anchor: encode(relativeAnchor), head: encode(relativeHead) }
}

/**
 * The vertical target of scrolling to a position: the upper third of the scroller or, for a heading, its upper edge.
 */
type ScrollTarget = 'upper third' | 'top'

const spaceAbove = 24
// Longer smooth scrolling is hard to follow, and takes more than a second.
const screensToGlide = 2

/**
 * Scrolls a position of the text into view. Smoothly over short distances, unless the user prefers reduced motion;
 * immediately over longer ones.
 */
export function scrollToPosition(view: EditorView, position: number, target: ScrollTarget = 'upper third'): void {
  const scroller = view.dom.closest('[data-scroller]')
  if (!scroller) return
  const { top } = view.coordsAtPos(Math.min(position, view.state.doc.content.size))
  const frame = scroller.getBoundingClientRect()
  const by = top - frame.top - (target === 'top' ? spaceAbove : frame.height / 3)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const isNear = Math.abs(by) <= screensToGlide * frame.height
  scroller.scrollBy({ top: by, behavior: isNear && !isCalm ? 'smooth' : 'instant' })
}

/**
 * The position of the text block with this plain text: the first that equals it, else the first that contains it or is
 * a prefix of it. Undefined if there is none.
 */
export function findBlock(doc: Node, text: string): number | undefined {
  const wanted = text.trim()
  let near: number | undefined
  let exact: number | undefined
  if (wanted === '') return undefined
  doc.descendants((node, position) => {
    if (exact !== undefined) return false
    if (!node.isTextblock) return true
    const found = node.textContent.trim()
    if (found === wanted) exact = position + 1
    else if (found !== '' && (found.includes(wanted) || wanted.includes(found))) near ??= position + 1
    return false
  })
  return exact ?? near
}
