import type { EditorState } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import type { Awareness } from 'y-protocols/awareness'
import { fromJson, toPosition } from './positions.ts'

/** The positions of the carets of peers in this state; none before the document is connected. */
export function caretsOfOthers(awareness: Awareness | null, state: EditorState): number[] {
  const carets: number[] = []
  if (!awareness || !ySyncPluginKey.getState(state)) return carets
  for (const [client, peer] of awareness.getStates()) {
    const head: unknown = client === awareness.clientID ? undefined : peer.cursor?.head
    const position = head ? toPosition(state, fromJson(head)) : undefined
    if (position !== undefined) carets.push(position)
  }
  return carets
}
