import type { EditorState } from 'prosemirror-state'
import { absolutePositionToRelativePosition, ySyncPluginKey } from 'y-prosemirror'
import { toPosition } from '../relative-position.ts'
import type { BlockRange } from './block-at.ts'

/**
 * Tracks blocks while peers may write: returns a function that finds them in a later state, or null once they are
 * deleted.
 */
export function holdBlock(state: EditorState, { from, to }: BlockRange): (later: EditorState) => BlockRange | null {
  const { type, binding } = ySyncPluginKey.getState(state) ?? {}
  const held = state.doc.nodeAt(from)
  const relative = type && binding ? absolutePositionToRelativePosition(from, type, binding.mapping) : undefined
  return (later) => {
    if (later.doc === state.doc || !relative) return { from, to }
    const position = toPosition(later, relative)
    const node = position === undefined ? null : later.doc.nodeAt(position)
    if (position === undefined || !node || node.type !== held?.type) return null
    return { from: position, to: position + node.nodeSize }
  }
}
