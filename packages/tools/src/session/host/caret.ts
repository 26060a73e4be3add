import type { Node } from 'prosemirror-model'
import { cellAround, CellSelection, inSameTable } from 'prosemirror-tables'
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition } from 'y-prosemirror'
import * as Y from 'yjs'
import type { Range } from '../../document/changed-ranges.ts'
import type { DocumentView } from '../../document/document-view.ts'
import type { FragmentReader } from '../../document/reader.ts'
import { createChildList, textAt, typePath } from '../write/y-types.ts'

/**
 * A caret or selection in the form of the awareness field `cursor`: two Yjs relative positions as JSON, created by
 * y-prosemirror, in the format of its cursor plugin.
 */
export type CaretPosition = { anchor: unknown; head: unknown }

/** The caret at a ProseMirror position of a view, which must match the current fragment. */
export function caretAt(
  pos: number,
  view: DocumentView,
  fragment: Y.XmlFragment,
  { metadata, children }: Pick<FragmentReader, 'metadata' | 'children'>,
): CaretPosition {
  const position =
    positionInText(pos, view, children()) ??
    (absolutePositionToRelativePosition(pos, fragment, metadata.mapping) as Y.RelativePosition)
  const relative: unknown = Y.relativePositionToJSON(position)
  return { anchor: relative, head: relative }
}

// The same result as y-prosemirror's, which walks the whole fragment from its start.
function positionInText(pos: number, { doc, childAt }: DocumentView, children: readonly Y.XmlElement[]) {
  const child = childAt(pos)
  const type = child && children[child.index]
  if (!type || pos === child.position) return undefined
  const node = doc.child(child.index)
  const inside = pos - child.position - 1
  const $pos = node.resolve(inside)
  const block = $pos.parent.inlineContent ? typePath(type, node, inside, createChildList()).at(-1) : undefined
  const found = block instanceof Y.XmlElement ? textAt(block, $pos.parentOffset) : undefined
  return found && Y.createRelativePositionFromTypeIndex(found.text, found.at)
}

/** A live selection: Yjs relative positions, which stay valid when the document changes. */
export type LiveSelection = { anchor: Y.RelativePosition; head: Y.RelativePosition }

/**
 * A selection as ProseMirror positions, `from` ≤ `to`. `ranges` are the selected ranges, in order: the contents of the
 * cells between two corners if the selection begins and ends in different cells of one table, because editors select
 * cells and never text across them; otherwise the one range.
 */
export type Selected = Range & { readonly ranges: readonly Range[] }

/** A live selection in the current document; `undefined` if its anchor was deleted. */
export function resolveSelection(
  selection: LiveSelection | undefined,
  fragment: Y.XmlFragment,
  reader: FragmentReader,
): Selected | undefined {
  const read = reader.read()
  if (!selection || !read.ok) return undefined
  const anchor = positionOf(selection.anchor, fragment, read.view, reader)
  const head = positionOf(selection.head, fragment, read.view, reader)
  if (anchor === null || head === null) return undefined
  const range = { from: Math.min(anchor, head), to: Math.max(anchor, head) }
  return { ...range, ranges: selectedRanges(read.view.doc, range) }
}

function selectedRanges(doc: Node, range: Range): Range[] {
  const $first = cellAround(doc.resolve(Math.min(range.from, doc.content.size)))
  const $last = cellAround(doc.resolve(Math.min(range.to, doc.content.size)))
  if (!$first || !$last || $first.pos === $last.pos || !inSameTable($first, $last)) return [range]
  const { ranges } = new CellSelection($first, $last)
  return ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos })).toSorted((a, b) => a.from - b.from)
}

// y-prosemirror adds up the sizes of all preceding nodes; here the position of the child is already known.
function positionOf(
  position: Y.RelativePosition,
  fragment: Y.XmlFragment,
  view: DocumentView,
  { metadata: { mapping } }: FragmentReader,
): number | null {
  const { doc } = fragment
  if (!doc) return null
  const at = Y.createAbsolutePositionFromRelativePosition(position, doc)
  const child = at && view.childOf(at.type)
  if (!child) return relativePositionToAbsolutePosition(doc, fragment, position, mapping)
  const inside = relativePositionToAbsolutePosition(doc, child.type, position, mapping)
  return inside === null ? null : child.position + 1 + inside
}
