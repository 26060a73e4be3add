import type { EditorState } from 'prosemirror-state'
import { relativePositionToAbsolutePosition, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'

/** Reads a base64 Yjs relative position; undefined if it isn't one. */
export function fromBase64(text: string): Y.RelativePosition | undefined {
  try {
    return Y.decodeRelativePosition(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
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
