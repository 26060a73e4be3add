import { memo, useRef } from 'react'
import { ChatAvatar } from './chat-avatar.tsx'
import { CopyAnswer } from './copy-answer.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'
import { TimeOfDay } from '../common/time-of-day.tsx'
import type { ChatMessage } from '../common/types.ts'

/** A message of a person, or an agent's text without steps. */
export const MessageEntry = memo(function MessageEntry({ message }: { message: ChatMessage }) {
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
