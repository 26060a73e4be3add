import { useEffect, useRef } from 'react'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatConversations } from '../common/types.ts'

type ConversationListProps = { conversations: ChatConversations; onOpen: (id: string) => void; onClose: () => void }

export function ConversationList({ conversations, onOpen, onClose }: ConversationListProps) {
  const { list, current, older } = conversations
  const texts = useTexts()
  const items = useRef<HTMLUListElement>(null)
  const shown = useRef<number>(undefined)
  // The button that loads older conversations may have been removed.
  useEffect(() => {
    if (shown.current === undefined || list.length <= shown.current) return
    items.current?.querySelectorAll('button')[shown.current]?.focus()
    shown.current = undefined
  }, [list.length])
  return (
    <nav
      aria-label={texts.chats}
      className="ap-chats"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <ul ref={items}>
        {list.map(({ id, title, detail, isBusy }) => (
          <li key={id}>
            <button type="button" aria-current={id === current || undefined} onClick={() => onOpen(id)}>
              <span dir="auto" className="ap-chat-title">
                {title}
              </span>
              <span className="ap-faint">
                {isBusy ? `${texts.chatIsWorking} · ` : ''}
                {detail}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {older && (
        <button
          type="button"
          className="ap-button ap-button-plain"
          onClick={() => {
            shown.current = list.length
            void older()
          }}
        >
          {texts.showOlderChats}
        </button>
      )}
    </nav>
  )
}
