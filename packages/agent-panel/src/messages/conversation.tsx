import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { AnswerEntry } from './answer-entry.tsx'
import type { Decide } from '../approvals/decisions.ts'
import type { Drafts } from '../common/drafts.ts'
import { useTexts } from '../language/panel-language.tsx'
import type { PanelTexts } from '../language/texts.ts'
import type { ChatMessage, ChatRun } from '../common/types.ts'
import type { ChatEntry } from '../chat/use-chat.ts'
import { ChatAvatar } from './chat-avatar.tsx'
import { CopyAnswer } from './copy-answer.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'
import { TimeOfDay } from '../common/time-of-day.tsx'

/** The answer to scroll to; a new `at` requests the same answer again. */
export type ShownMessage = { id: string; at: number }

type ConversationProps = {
  entries: readonly ChatEntry[]
  drafts: Drafts
  decide: Decide
  decideDisabledReason: string | undefined
  shown: ShownMessage | undefined
  empty: ReactNode
}

/**
 * All messages, oldest first. Stays scrolled to the end while the end is visible, and scrolls to a requested answer.
 */
export function Conversation({ entries, drafts, decide, decideDisabledReason, shown, empty }: ConversationProps) {
  const scroller = useStayAtEnd(entries)
  const texts = useTexts()
  const { id, at } = shown ?? {}
  useEffect(() => {
    if (id === undefined) return
    const frame = scroller.current
    const entry = frame?.querySelector<HTMLElement>(`[data-run="${CSS.escape(id)}"]`)
    if (!frame || !entry) return
    // Not `scrollIntoView`, which would also scroll the ancestors of the panel.
    frame.scrollBy(0, entry.getBoundingClientRect().top - frame.getBoundingClientRect().top - spaceAbove)
    entry.focus({ preventScroll: true })
    // `at` alone changes when the same answer is requested again.
  }, [scroller, id, at])
  return (
    <div ref={scroller} className="ap-conversation">
      {entries.length === 0 && empty}
      <ol aria-label={texts.conversation} className="ap-entries">
        {entries.map(({ message, steps }) =>
          hasRun(message) ? (
            <AnswerEntry key={message.id} {...{ message, steps, drafts, decide, decideDisabledReason }} />
          ) : (
            <MessageEntry key={message.id} message={message} />
          ),
        )}
      </ol>
      <p role="status" className="ap-hidden">
        {announcement(entries.at(-1), texts)}
      </p>
    </div>
  )
}

function hasRun(message: ChatMessage): message is ChatMessage & { run: ChatRun } {
  return message.run !== undefined
}

// Announces only the state of an answer to screen readers: each word and step would be too much.
function announcement(last: ChatEntry | undefined, texts: PanelTexts): string {
  const { author, run } = last?.message ?? {}
  if (!author || !run) return ''
  const waiting = last?.steps.filter(({ status }) => status === 'waiting').length ?? 0
  if (waiting > 0) return texts.agentWaits(author.name, waiting)
  return run.tone === 'going' ? texts.agentWorks(author.name) : `${author.name}: ${run.label}`
}

const spaceAbove = 12
const nearEnd = 80

function useStayAtEnd(entries: readonly ChatEntry[]): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
    }
    // The message box below may grow and shrink the conversation above it.
    const resized = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      resized.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element && atEnd.current) element.scrollTop = element.scrollHeight
  }, [entries])
  return scroller
}

/** A message of a person, or an agent's text without steps. */
const MessageEntry = memo(function MessageEntry({ message }: { message: ChatMessage }) {
  const { author } = message
  const entry = useRef<HTMLLIElement>(null)
  return (
    <li ref={entry} data-message={message.id} data-role={author.kind === 'agent' ? 'agent' : 'user'}>
      <div className="ap-head">
        <ChatAvatar author={author} />
        <span className="ap-name">{author.name}</span>
        {message.at !== undefined && <TimeOfDay iso={message.at} />}
        {author.kind === 'agent' && <CopyAnswer text={message.text} shown={entry} />}
      </div>
      {author.kind === 'agent' ? (
        <MarkdownView text={message.text} />
      ) : (
        <p dir="auto" className="ap-said">
          {message.content ?? message.text}
        </p>
      )}
    </li>
  )
})
