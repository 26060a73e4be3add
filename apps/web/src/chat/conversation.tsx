import type { Me } from '@copydesk/protocol'
import { Sparkles } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import type { ShownRun } from '../document/use-panel.ts'
import { type Entry, readEntries } from './entries.ts'
import { MessageEntry } from './message-entry.tsx'
import { RunEntry } from './run-entry.tsx'
import { isBehindOwn } from './run-view.ts'

type ConversationProps = {
  document: string
  room: RoomSnapshot
  colorOf: (id: string) => string
  shownRun: ShownRun | undefined
  provider: Me['agent']['provider']
  canEdit: boolean
  onShowText: (text: string) => void
}

/** Everything that was said, oldest first. Stays at the end while one is there, and goes to a run that is asked for. */
export function Conversation(props: ConversationProps) {
  const { room, shownRun, provider } = props
  const entries = useMemo(() => readEntries(room), [room])
  const scroller = useStayAtEnd(entries)
  useEffect(() => {
    if (!shownRun) return
    const entry = scroller.current?.querySelector<HTMLElement>(`[data-run="${CSS.escape(shownRun.run)}"]`)
    entry?.scrollIntoView({ block: 'start' })
    entry?.focus({ preventScroll: true })
  }, [scroller, shownRun])
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4">
      {entries.length === 0 && <Empty provider={provider} />}
      <ol aria-label="Conversation" className="flex flex-col gap-4">
        {entries.map((entry) => (
          <EntryItem key={entry.key} entry={entry} {...props} />
        ))}
      </ol>
    </div>
  )
}

type EntryItemProps = ConversationProps & { entry: Entry }

function EntryItem({ entry, room, colorOf, document, canEdit, onShowText }: EntryItemProps) {
  if (entry.kind === 'message') return <MessageEntry message={entry.message} color={colorOf(entry.message.author.id)} />
  return (
    <RunEntry
      entry={entry}
      behindOwn={isBehindOwn(entry.run, room.runs.values())}
      document={document}
      canEdit={canEdit}
      onShowText={onShowText}
    />
  )
}

// The built-in agent follows commands; a model understands what one says.
const commands = '“Replace teh with the.” “Make deadline bold.” “Comment on the price: is that all?”'
const wishes = '“Fix the spelling.” “Make the second section shorter.”'

function Empty({ provider }: Pick<ConversationProps, 'provider'>) {
  return (
    <div className="flex h-full flex-col items-center justify-center px-4 text-center text-ink-soft">
      <span
        aria-hidden
        className="mb-3 inline-flex size-10 items-center justify-center rounded-xl bg-agent-soft text-agent"
      >
        <Sparkles size={20} />
      </span>
      <p className="font-medium text-ink">Ask the agent for something</p>
      <p className="mt-1 text-sm text-balance">
        {provider === 'builtin' ? commands : wishes} Select text first if it is about one passage. Everybody here sees
        the conversation.
      </p>
    </div>
  )
}

const nearEnd = 80

function useStayAtEnd(entries: readonly Entry[]): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element && atEnd.current) element.scrollTop = element.scrollHeight
  }, [entries])
  return scroller
}
