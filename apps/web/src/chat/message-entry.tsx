import type { Message } from '@copydesk/protocol'
import { memo } from 'react'
import { MentionText } from '../mentions/mention-text.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { MarkdownView } from './markdown-view.tsx'
import { TimeOfDay } from './time-of-day.tsx'

type MessageEntryProps = { message: Message; color: string }

/** Something that a person said, or an answer whose run isn't known any more. */
export const MessageEntry = memo(function MessageEntry({ message, color }: MessageEntryProps) {
  const { author } = message
  return (
    <li data-message={message.id} data-role={message.role}>
      <div className="mb-1 flex items-center gap-2">
        <Avatar name={author.name} color={color} kind={author.kind} size={22} />
        <span className="min-w-0 truncate text-sm font-semibold">{author.name}</span>
        <TimeOfDay iso={message.createdAt} />
      </div>
      {message.role === 'agent' ? (
        <MarkdownView text={message.text} />
      ) : (
        <p dir="auto" className="rounded-lg bg-sunken px-3 py-2 text-[0.925rem] break-words whitespace-pre-wrap">
          <MentionText text={message.text} mentions={message.mentions} run={message.run} />
        </p>
      )}
    </li>
  )
})
