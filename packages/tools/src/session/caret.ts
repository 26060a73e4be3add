import type { YMapping } from '@copydesk/schema'
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition } from 'y-prosemirror'
import * as Y from 'yjs'

/**
 * A caret or selection in the form of the awareness field `cursor`: two Yjs relative positions as JSON, made by
 * y-prosemirror, as its cursor plugin writes and reads them.
 */
export type CaretPosition = { anchor: unknown; head: unknown }

/** The caret at a ProseMirror position. `mapping` must hold the fragment as it is now. */
export function caretAt(pos: number, fragment: Y.XmlFragment, mapping: YMapping): CaretPosition {
  const relative: unknown = Y.relativePositionToJSON(absolutePositionToRelativePosition(pos, fragment, mapping))
  return { anchor: relative, head: relative }
}

/** A live selection: Yjs relative positions, which stay where they are however the document changes. */
export type LiveSelection = { anchor: Y.RelativePosition; head: Y.RelativePosition }

/** A selection as ProseMirror positions, `from` ≤ `to`; `undefined` if what it pointed at is gone. */
export function resolveSelection(
  selection: LiveSelection | undefined,
  fragment: Y.XmlFragment,
  mapping: YMapping,
): { from: number; to: number } | undefined {
  if (!selection || !fragment.doc) return undefined
  const anchor = relativePositionToAbsolutePosition(fragment.doc, fragment, selection.anchor, mapping)
  const head = relativePositionToAbsolutePosition(fragment.doc, fragment, selection.head, mapping)
  if (anchor === null || head === null) return undefined
  return { from: Math.min(anchor, head), to: Math.max(anchor, head) }
}
