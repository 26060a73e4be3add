import type { YMapping } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition } from 'y-prosemirror'
import * as Y from 'yjs'
import type { FragmentReader } from './reader.ts'
import { type ChildList, createChildList, textAt, typePath } from './y-types.ts'

/**
 * A caret or selection in the form of the awareness field `cursor`: two Yjs relative positions as JSON, made by
 * y-prosemirror, as its cursor plugin writes and reads them.
 */
export type CaretPosition = { anchor: unknown; head: unknown }

/** The caret at a ProseMirror position of `doc`, which must be what the fragment reads as now. */
export function caretAt(
  pos: number,
  doc: Node,
  fragment: Y.XmlFragment,
  { metadata, children }: Pick<FragmentReader, 'metadata' | 'children'>,
): CaretPosition {
  const { mapping } = metadata
  const childrenOf = createChildList(new Map([[fragment, children()]]))
  const position =
    positionInText(pos, doc, fragment, childrenOf) ??
    (absolutePositionToRelativePosition(pos, fragment, mapping) as Y.RelativePosition)
  const relative: unknown = Y.relativePositionToJSON(position)
  return { anchor: relative, head: relative }
}

// What y-prosemirror finds by walking the whole fragment from its start.
function positionInText(
  pos: number,
  doc: Node,
  fragment: Y.XmlFragment,
  childrenOf: ChildList,
): Y.RelativePosition | undefined {
  const $pos = doc.resolve(pos)
  const block = $pos.parent.inlineContent ? typePath(fragment, doc, pos, childrenOf).at(-1) : undefined
  const found = block instanceof Y.XmlElement ? textAt(block, $pos.parentOffset) : undefined
  return found && Y.createRelativePositionFromTypeIndex(found.text, found.at)
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
