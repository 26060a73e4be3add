import type { Selection } from '@copydesk/protocol'
import type { EditorState } from 'prosemirror-state'
import { absolutePositionToRelativePosition, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'

/** The selected range as relative positions that survive edits by others; undefined when nothing is selected. */
export function readRelativeSelection(state: EditorState): Selection | undefined {
  const { anchor, head, empty } = state.selection
  if (empty) return undefined
  const { type, binding } = ySyncPluginKey.getState(state) ?? {}
  if (!type || !binding) return undefined
  const encode = (position: number) =>
    toBase64(Y.encodeRelativePosition(absolutePositionToRelativePosition(position, type, binding.mapping)))
  return { anchor: encode(anchor), head: encode(head) }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
