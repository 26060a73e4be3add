import type { Run } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import type { EditorState } from 'prosemirror-state'
import { useEffect, useEffectEvent } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { asUndoStep } from '../../editor/typing/undo.ts'
import type { EditingModeStore } from '../../editor/suggesting/editing-mode.ts'
import { isAnsweredAsAsked, removesAnswered } from '../../mentions/answered-requests.ts'
import { findRequest, removeRequest } from '../../mentions/mention-edits.ts'
import { justEnded } from './use-run-toasts.ts'

type AnsweredRequestsProps = {
  connection: DocumentConnection
  editor: Editor
  self: string
  mode: Pick<EditingModeStore, 'get'>
}

/** Removes this user's requests from the text when they are answered, if the user has enabled that. */
export function useAnsweredRequests({ connection: { room }, editor, self, mode }: AnsweredRequestsProps): void {
  const remove = useEffectEvent((run: Run) => {
    // In suggesting mode, a removal would be a suggestion.
    if (!removesAnswered.get() || !editor.isEditable || mode.get() !== 'editing') return
    const block = blockOf(editor.state, run.trigger.id)
    if (block && isAnsweredAsAsked(run, block, self)) dispatchRemoval(editor, run.trigger.id)
  })
  useEffect(() => {
    let { runs } = room.get()
    return room.subscribe(() => {
      const before = runs
      runs = room.get().runs
      if (before !== runs) for (const run of justEnded(before, runs)) remove(run)
    })
  }, [room])
}

function blockOf({ doc }: EditorState, requestId: string) {
  const found = findRequest(doc, requestId)
  return found === undefined ? undefined : doc.resolve(found).parent
}

/** Removes a request from the text, as a separate undo step. */
export function dispatchRemoval({ state, view }: Editor, requestId: string): void {
  const transaction = removeRequest(state, requestId)
  if (transaction) asUndoStep(state, () => view.dispatch(transaction))
}
