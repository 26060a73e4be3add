import { useEffect, useState } from 'react'
import { createStore } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toasts/toasts.tsx'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import type { RoomSnapshot } from '../../collaboration/room-store.ts'
import type { usePanel } from '../../common/layout/page-layout.ts'
import { isInCurrent, openedConversation } from '../conversations/conversations.ts'
import { countWaiting } from './run-actions.ts'

/**
 * Notifies users who may decide, while the chat is hidden, that the agent waits for approval; also when they open the
 * document later. The notice is shown until the decision or until the user opens the chat.
 */
export function useApprovalNotice(
  { document, room }: DocumentConnection,
  panel: ReturnType<typeof usePanel>,
  canDecide: boolean,
): void {
  const { showRun } = panel
  const [sees] = useState(() => createStore(false))
  const [told] = useState(() => new Set<string>())
  const seesChat = panel.open && panel.tab === 'chat'
  useEffect(() => sees.set(seesChat), [sees, seesChat])
  useEffect(() => {
    if (!canDecide) return undefined
    const sources = [room, sees, openedConversation]
    const isSeen = (run: string) => sees.get() && isInCurrent(document, room.get(), run)
    const look = () => {
      for (const { run, key } of waitingIn(room.get())) {
        // A user who has opened the chat and left it without deciding is notified once more.
        if (isSeen(run)) told.delete(key)
        if (isSeen(run) || told.has(key)) continue
        told.add(key)
        const isWaiting = () => !isSeen(run) && waitingIn(room.get()).some((each) => each.key === key)
        showToast(t('The agent waits for your approval.'), {
          label: t('Show'),
          run: () => showRun(run),
          persistent: true,
          offered: {
            subscribe: (listener) => all(...sources.map((source) => source.subscribe(listener))),
            isOpen: isWaiting,
          },
        })
      }
    }
    look()
    return all(...sources.map((source) => source.subscribe(look)))
  }, [document, room, canDecide, showRun, sees, told])
}

/** The runs that wait for approval, each with a key that is unique for every answer whose calls wait. */
function waitingIn({ runs }: RoomSnapshot): { run: string; key: string }[] {
  return [...runs.values()].flatMap(({ id, status, steps }) => {
    if (status !== 'awaiting_approval' || countWaiting(steps) === 0) return []
    const first = steps.find((step) => step.status === 'awaiting_approval' && !step.approval)
    return first ? [{ run: id, key: `${id} ${first.round ?? first.id}` }] : []
  })
}

function all(...stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop()
  }
}
