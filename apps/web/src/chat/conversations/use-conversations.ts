import type { ChatConversation, ChatConversations } from '@copydesk/agent-panel'
import { isFinal, type Message } from '@copydesk/protocol'
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { listMessages } from '../../api/runs.ts'
import type { RoomSnapshot } from '../../collaboration/room-store.ts'
import type { ShownRun } from '../../common/layout/page-layout.ts'
import { relativeTime } from '../../common/relative-time.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import {
  addPage,
  type Conversation,
  type Earlier,
  firstConversation,
  openConversationWith,
  openedConversation,
  readConversations,
  withEarlier,
} from './conversations.ts'

const noConversation: Pick<Conversation, 'messages' | 'runs'> = { messages: [], runs: new Map() }

/**
 * The conversations of a document's chat for the panel, and the messages of the current one. The current one stays the
 * same while others begin new ones, and changes to that of a run that is to be shown.
 */
export function useConversations(document: string, room: RoomSnapshot, shownRun: ShownRun | undefined) {
  const { runs } = room
  const { messages, older } = useOlderMessages(document, room.messages)
  const conversations = useMemo(() => readConversations({ messages, runs }), [messages, runs])
  const opened = useSyncExternalStore(openedConversation.subscribe, openedConversation.get)
  const latest = conversations[0]?.id
  const current = opened?.document === document ? opened.id : (latest ?? firstConversation)
  const isChosen = opened?.document === document
  useEffect(() => {
    if (!isChosen && latest !== undefined) openedConversation.set({ document, id: latest })
  }, [document, isChosen, latest])
  const wanted = shownRun?.id
  const show = useEffectEvent((run: string) => openConversationWith(document, { messages, runs }, run))
  useEffect(() => {
    if (wanted !== undefined) show(wanted)
    // `at` alone changes when the same run is to be shown again.
  }, [wanted, shownRun?.at])
  const list = useMemo(() => conversations.map((each) => toListed(each, new Date())), [conversations])
  const forPanel: ChatConversations = {
    list,
    current,
    onOpen: (id) => openedConversation.set({ document, id }),
    onNew: () => openedConversation.set({ document, id: crypto.randomUUID() }),
    older,
  }
  return { forPanel, current: conversations.find(({ id }) => id === current) ?? noConversation }
}

function toListed({ id, title, at, runs }: Conversation, now: Date): ChatConversation {
  const isBusy = [...runs.values()].some(({ status }) => !isFinal(status))
  return { id, title, detail: relativeTime(at, now), isBusy }
}

/** The messages of the room after those that `older` has fetched; `older` is undefined if there are no earlier ones. */
function useOlderMessages(document: string, inRoom: readonly Message[]) {
  const [earlier, setEarlier] = useState<Earlier>({ messages: [], isAll: false })
  const { messages, hasEarlier } = useMemo(() => withEarlier(earlier, inRoom), [earlier, inRoom])
  const first = messages[0]?.id
  const older = async () => {
    if (first === undefined) return
    const page = await listMessages(document, first).catch(showError)
    if (page) setEarlier(addPage(page, messages))
  }
  return { messages, older: hasEarlier ? older : undefined }
}
