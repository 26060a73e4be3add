import { isFinal, type Run } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useEffectEvent, useState } from 'react'
import { undoRun } from '../../api/runs.ts'
import { isInCurrent } from '../../chat/conversations/conversations.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import type { RoomSnapshot } from '../../collaboration/room-store.ts'
import { createStore } from '../../common/store.ts'
import { findBlock } from '../../editor/common/positions.ts'
import { t } from '../../i18n/translate.ts'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'

type ToastsProps = {
  connection: DocumentConnection
  editor: Editor
  self: string
  /** Whether the chat, which shows the runs of its current conversation, is visible. */
  showsChat: boolean
  /** Whether an overlay covers the text. */
  isCovered: boolean
  canEdit: boolean
  onShowRun: (run: string) => void
}

/**
 * Notifies this user of the agent's changes outside of the visible text and conversation. The user who started the run
 * may undo it directly; others can show its changes. A run without changes is announced only to the user who started
 * it, with its answer.
 */
export function useRunToasts({
  connection,
  editor,
  self,
  showsChat,
  isCovered,
  canEdit,
  onShowRun,
}: ToastsProps): void {
  const { room, document: id } = connection
  const [chatShown] = useState(() => createStore(showsChat))
  useEffect(() => chatShown.set(showsChat), [chatShown, showsChat])
  const showRunToast = useEffectEvent((run: Run) => {
    const isShown = () => chatShown.get() && isInCurrent(id, room.get(), run.id)
    if (isShown()) return
    if (!hasChanges(run)) {
      const answer = run.invokedBy.id === self ? beginningOf(answerTo(run, room.get())) : ''
      if (answer === '') return
      showToast(t('Agent: {answer}', { answer }), {
        label: t('Show'),
        run: () => onShowRun(run.id),
        offered: { subscribe: chatShown.subscribe, isOpen: () => !isShown() },
      })
      return
    }
    const isLooking = document.visibilityState === 'visible' && !isCovered
    if (isLooking && isInView(editor.view, run)) return
    const isOwn = run.invokedBy.id === self && canEdit
    const undo = () => void undoRun(id, run.id).catch(showError)
    showToast(describeRunResult(run, self), {
      label: isOwn ? t('Undo') : t('Show'),
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
      for (const run of justEnded(before, runs)) showRunToast(run)
    })
  }, [room])
}

type Runs = ReadonlyMap<string, Run>

/** The runs that have ended between two snapshots of a room, and were not undone. */
export function justEnded(before: Runs, after: Runs): Run[] {
  return [...after.values()].filter((run) => {
    const known = before.get(run.id)
    const hasEnded = isFinal(run.status) && known !== undefined && !isFinal(known.status)
    return hasEnded && run.undone !== true
  })
}

function hasChanges({ changedBlocks }: Run): boolean {
  return changedBlocks !== undefined && changedBlocks.length > 0
}

// A request in a comment is answered by a reply in its thread.
function answerTo({ id, trigger, answer, error }: Run, { messages }: RoomSnapshot): string {
  if (trigger.kind === 'comment') return ''
  const message = messages.find(({ role, run }) => role === 'agent' && run === id)
  return message?.text || answer || error?.message || ''
}

const shownLetters = 160

/** The first line of a text, shortened to some 160 characters at the end of a word. */
export function beginningOf(text: string): string {
  const [line = ''] = text.trim().split('\n')
  if (line.length <= shownLetters) return line
  return `${line.slice(0, shownLetters).replace(/\s+\S*$/, '')}…`
}

/** A sentence on the result of a run, for the user `self`. */
export function describeRunResult(run: Run, self: string): string {
  const count = run.changedBlocks?.length ?? 0
  const isOwn = run.invokedBy.id === self
  const { name } = run.invokedBy
  if (run.mode === 'suggest') {
    return isOwn
      ? t('The agent made suggestions in {count, plural, one {# paragraph} other {# paragraphs}}.', { count })
      : t('The agent made suggestions in {count, plural, one {# paragraph} other {# paragraphs}} for {name}.', {
          count,
          name,
        })
  }
  return isOwn
    ? t('The agent changed {count, plural, one {# paragraph} other {# paragraphs}}.', { count })
    : t('The agent changed {count, plural, one {# paragraph} other {# paragraphs}} for {name}.', { count, name })
}

/** Whether some of a run's changes are visible. */
function isInView(view: EditorView, run: Run): boolean {
  const scroller = view.dom.closest('[data-scroller]')
  if (!scroller || view.isDestroyed) return false
  const frame = scroller.getBoundingClientRect()
  return (run.changedBlocks ?? []).some(({ after }) => {
    const place = findBlock(view.state.doc, after)
    if (place === undefined) return false
    const { top, bottom } = view.coordsAtPos(place)
    return bottom > frame.top && top < frame.bottom
  })
}
