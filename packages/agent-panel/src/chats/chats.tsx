import { type ReactNode, useRef, useState } from 'react'
import { Icon } from '../common/icons.tsx'
import { lazyComponent } from '../common/lazy-component.tsx'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatConversations } from '../common/types.ts'

const ConversationList = lazyComponent(async () => (await import('./conversation-list.tsx')).ConversationList)

type ChatsProps = { conversations: ChatConversations | undefined; children: ReactNode }

/** The current conversation, `children`, below a bar that opens the others; without conversations only `children`. */
export function Chats({ conversations, children }: ChatsProps) {
  const [isListing, setListing] = useState(false)
  const bar = useRef<HTMLDivElement>(null)
  if (!conversations) return children
  const close = () => {
    setListing(false)
    bar.current?.querySelector('button')?.focus()
  }
  const open = (id: string) => {
    conversations.onOpen(id)
    close()
  }
  const begin = () => {
    conversations.onNew()
    setListing(false)
    bar.current?.closest('.ap')?.querySelector<HTMLElement>('textarea.ap-box-text')?.focus()
  }
  return (
    <>
      <div ref={bar} onKeyDown={({ key }) => isListing && key === 'Escape' && close()}>
        <ConversationBar {...{ conversations, isListing }} onListing={setListing} onNew={begin} />
      </div>
      {isListing ? <ConversationList conversations={conversations} onOpen={open} onClose={close} /> : children}
    </>
  )
}

type ConversationBarProps = {
  conversations: ChatConversations
  isListing: boolean
  onListing: (isListing: boolean) => void
  onNew: () => void
}

/** The name of the conversation, which opens the list of all, and a button for a new conversation. */
function ConversationBar({ conversations, isListing, onListing, onNew }: ConversationBarProps) {
  const { list, current } = conversations
  const texts = useTexts()
  if (list.length === 0) return null
  const title = list.find(({ id }) => id === current)?.title ?? texts.newChat
  return (
    <div className="ap-bar">
      <button
        type="button"
        className="ap-bar-title"
        aria-expanded={isListing}
        title={texts.earlierChats}
        onClick={() => onListing(!isListing)}
      >
        <bdi>{title}</bdi>
        <span className="ap-hidden">, {texts.opensEarlierChats}</span>
        <Icon name="chevron" size={12} />
      </button>
      <button type="button" className="ap-quiet" aria-label={texts.newChat} title={texts.newChat} onClick={onNew}>
        <Icon name="plus" size={16} />
      </button>
    </div>
  )
}
