import { useEffect, useState } from 'react'
import { createStore } from '../common/store.ts'
import { showToast } from '../ui/toasts.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import type { usePanel } from '../common/page-layout.ts'
import { countWaiting } from './run-actions.ts'

/**
 * Notifies users who may decide, and don't see the chat, that the agent waits for approval; also when they open the
 * document later. The notice stays until the decision or until the user looks at the chat.
 */
export function useApprovalNotice(
  { room }: DocumentConnection,
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
    const look = () => {
      // A user who has looked at it and left without deciding is notified once more.
      if (sees.get()) return told.clear()
      for (const { run, key } of waitingIn(room.get())) {
        if (told.has(key)) continue
        told.add(key)
        const isWaiting = () => !sees.get() && waitingIn(room.get()).some((each) => each.key === key)
        showToast('The agent waits for your approval.', {
          label: 'Show',
          run: () => showRun(run),
          stays: true,
          offered: {
            subscribe: (listener) => both(room.subscribe(listener), sees.subscribe(listener)),
            isOpen: isWaiting,
          },
        })
      }
    }
    look()
    return both(room.subscribe(look), sees.subscribe(look))
  }, [room, canDecide, showRun, sees, told])
}

/** The runs that wait for approval, each with a key that is unique for every answer whose calls wait. */
function waitingIn({ runs }: RoomSnapshot): { run: string; key: string }[] {
  return [...runs.values()].flatMap(({ id, status, steps }) => {
    if (status !== 'awaiting_approval' || countWaiting(steps) === 0) return []
    const first = steps.find((step) => step.status === 'awaiting_approval' && !step.approval)
    return first ? [{ run: id, key: `${id} ${first.round ?? first.id}` }] : []
  })
}

function both(first: () => void, second: () => void): () => void {
  return () => {
    first()
    second()
  }
}
