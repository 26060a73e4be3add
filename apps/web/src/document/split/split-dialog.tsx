import type { Editor } from '@tiptap/core'
import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { describeError } from '../../api/client.ts'
import { createDocument, trashDocument } from '../../api/documents.ts'
import { type DocumentConnection, openConnection } from '../../collaboration/connection.ts'
import type { LocalUser } from '../../collaboration/presence.ts'
import { documentPath, navigate } from '../../common/location.tsx'
import type { EditingModeStore } from '../../editor/suggesting/editing-mode.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { MoveError, moveToDocument, planSplit, type SplitPlan } from './move-to-document.ts'

type SplitDialogProps = {
  connection: DocumentConnection
  editor: Editor
  user: LocalUser
  mode: EditingModeStore
  onClose: () => void
}

/** Asks for the title of the new document, says which parts are not moved, and moves the blocks. */
export function SplitDialog({ connection, editor, user, mode, onClose }: SplitDialogProps) {
  const [plan] = useState(() => planSplit(editor.state.doc, editor.state.selection))
  const [title, setTitle] = useState(plan?.title ?? '')
  const { move, stop, isMoving, problem } = useMove({ connection, editor, user, onClose })
  const isSuggesting = useSyncExternalStore(mode.subscribe, mode.get) !== 'editing'
  const close = () => {
    stop()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (plan) void move(plan, title.trim())
  }
  const splitProblem = findSplitProblem(plan, isSuggesting)
  return (
    <Dialog title={t('Move to a new document')} onClose={close} returnFocusTo={editor.view.dom}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">{splitProblem ?? (plan && describe(plan))}</p>
        {splitProblem === null && (
          <Field
            label={t('Title of the new document')}
            dir="auto"
            maxLength={300}
            value={title}
            disabled={isMoving}
            problem={problem}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{splitProblem === null ? t('Cancel') : t('Close')}</Button>
          {splitProblem === null && (
            <Button look="primary" type="submit" disabled={isMoving || title.trim() === ''}>
              {isMoving ? t('Moving…') : t('Move')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function findSplitProblem(plan: SplitPlan | null, isSuggesting: boolean): string | null {
  if (isSuggesting) return t('Switch to the mode Editing first: what is only suggested stays where it is.')
  return plan ? null : t('There is nothing to move. Put the caret into the first block to move, or select blocks.')
}

function describe({ blocks }: SplitPlan): string {
  return t(
    '{count, plural, one {One block moves} other {# blocks move}} to a document of your own; a link to it stays here. Share it as you like. Comments stay behind, and suggested changes are taken as accepted. Undo brings everything back here.',
    { count: blocks },
  )
}

type Moving = Pick<SplitDialogProps, 'connection' | 'editor' | 'user' | 'onClose'>

function useMove({ connection, editor, user, onClose }: Moving) {
  const [running, setRunning] = useState<AbortController>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => () => running?.abort(), [running])
  const move = async (plan: SplitPlan, title: string) => {
    const stop = new AbortController()
    setRunning(stop)
    setProblem(undefined)
    try {
      const id = await moveToDocument(plan, title, {
        view: editor.view,
        fragment: connection.fragment,
        create: (name) => createDocument({ title: name }),
        open: (document) => openConnection(document, location.origin, user, Date.now),
        discard: trashDocument,
        signal: stop.signal,
      })
      showToast(t('Moved to “{title}”.', { title }), { label: t('Open'), run: () => navigate(documentPath(id)) })
      onClose()
    } catch (error) {
      if (!stop.signal.aborted) setProblem(error instanceof MoveError ? error.message : describeError(error))
    } finally {
      setRunning(undefined)
    }
  }
  return { move, stop: () => running?.abort(), isMoving: running !== undefined, problem }
}
