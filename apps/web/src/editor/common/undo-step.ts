import type { EditorState } from 'prosemirror-state'
import { ySyncPluginKey, yUndoPluginKey } from 'y-prosemirror'

/** Ends the user's undo step: what follows is undone separately from what came before. */
export function endUndoStep(state: EditorState): void {
  yUndoPluginKey.getState(state)?.undoManager.stopCapturing()
}

/** Runs dispatches as one update for peers, and as an undo step of its own. Returns what `act` returns. */
export function asUndoStep<Result>(state: EditorState, act: () => Result): Result {
  const doc = ySyncPluginKey.getState(state)?.doc
  endUndoStep(state)
  const result = doc ? doc.transact(act, ySyncPluginKey) : act()
  endUndoStep(state)
  return result
}
