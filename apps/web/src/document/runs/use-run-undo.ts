import { useKeyDown } from '../../common/commands/use-key-down.ts'
import { useEffect, useState } from 'react'
import { redoRun, undoRun } from '../../api/runs.ts'
import { t } from '../../i18n/translate.ts'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import type { RoomStore } from '../../collaboration/room-store.ts'
import { createRunUndo, type RunUndo } from '../../editor/agent-edits/run-undo.ts'

/** Undo of this user's last run by the undo key: in the text, and outside of non-empty fields. */
export function useRunUndo({ document: id, room }: DocumentConnection, self: string): RunUndo {
  const [runUndo] = useState(() => createRunUndo({ room, self, apply: (kind, run) => apply(id, room, kind, run) }))
  useKeyDown((event) => {
    const kind = undoKind(event)
    if (kind && !isWriting(event.target) && runUndo.get()?.kind === kind && runUndo.press(kind)) {
      event.preventDefault()
    }
  })
  useEffect(() => runUndo.follow(), [runUndo])
  return runUndo
}

async function apply(document: string, room: RoomStore, kind: 'undo' | 'redo', run: string): Promise<void> {
  try {
    if (kind === 'redo') {
      await redoRun(document, run)
      return
    }
    await undoRun(document, run)
    showToast(t('Undone.'), {
      label: t('Redo'),
      run: () => void redoRun(document, run).catch(showError),
      offered: { subscribe: room.subscribe, isOpen: () => room.get().runs.get(run)?.undone === true },
    })
  } catch (error) {
    showError(error)
    throw error
  }
}

function undoKind(event: KeyboardEvent): 'undo' | 'redo' | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return null
  const key = event.key.toLowerCase()
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo'
  return key === 'y' && !event.shiftKey ? 'redo' : null
}

// The editor has its own keys; a non-empty field has its own undo.
function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return target.value !== ''
  return target instanceof HTMLElement && target.isContentEditable
}
