import { Icon } from '../common/icons.tsx'
import type { ChatAuthor } from '../common/types.ts'

/** Initials on the person's colour, or the agent's picture or spark. Decorative: the name is shown next to it. */
export function ChatAvatar({ author: { name, kind, color } }: { author: ChatAuthor }) {
  if (kind === 'agent') {
    return (
      <span
        aria-hidden="true"
        className="ap-avatar ap-avatar-agent"
        style={color ? { background: color, color: '#fff' } : undefined}
      >
        {/^\p{Extended_Pictographic}\S*/u.exec(name)?.[0] ?? <Icon name="spark" size={13} />}
      </span>
    )
  }
  return (
    <span aria-hidden="true" className="ap-avatar" style={color === undefined ? undefined : { background: color }}>
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}
