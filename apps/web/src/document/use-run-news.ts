import type { Run } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { useEffect, useEffectEvent } from 'react'
import { undoRun } from '../api/runs.ts'
import { showError, showToast } from '../app/toasts.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { describeNews, endedWithChanges, isInView } from './run-news.ts'

type RunNewsProps = {
  connection: DocumentConnection
  editor: Editor
  self: string
  /** Whether the conversation, which shows every run, is visible. */
  showsChat: boolean
  /** Whether an overlay covers the text. */
  isCovered: boolean
  canEdit: boolean
  onShowRun: (run: string) => void
}

/**
 * Notifies this user of the agent's changes that they don't see: neither in the visible text nor in the conversation.
 * The user who started the run may undo it directly; others can see what it changed.
 */
export function useRunNews({ connection, editor, self, showsChat, isCovered, canEdit, onShowRun }: RunNewsProps): void {
  const { room, document: id } = connection
  const tell = useEffectEvent((run: Run) => {
    const isLooking = document.visibilityState === 'visible' && !isCovered
    if (showsChat || (isLooking && isInView(editor.view, run))) return
    const isOwn = run.invokedBy.id === self && canEdit
    const undo = () => void undoRun(id, run.id).catch(showError)
    showToast(describeNews(run, self), {
      label: isOwn ? 'Undo' : 'Show',
      run: isOwn ? undo : () => onShowRun(run.id),
      offered: { subscribe: room.subscribe, isOpen: () => room.get().runs.get(run.id)?.undone !== true },
    })
  })
  useEffect(() => {
    let { runs } = room.get()
    return room.subscribe(() => {
      const before = runs
      runs = room.get().runs
      if (before === runs) return
      for (const run of endedWithChanges(before, runs)) tell(run)
    })
  }, [room])
}
