import { Sparkle } from 'lucide-react'
import { inkOn, initials, safeColor } from './person-look.ts'

type AvatarProps = { name: string; color: string; kind: 'person' | 'agent'; size?: number }

// The server's colour of the default agent; the theme determines how it looks.
const defaultAgentColor = '#6d28d9'

/** The picture at the beginning of an agent's name; undefined if it has none. */
function pictureOf(name: string): string | undefined {
  return /^\p{Extended_Pictographic}\S*/u.exec(name)?.[0]
}

/**
 * A person's initials on their colour, round; an agent's picture or spark, square. Decorative: the name is next to it.
 * The initials are not rendered as text, because voice control would expect text in the name of the surrounding button.
 */
export function Avatar({ name, color, kind, size = 28 }: AvatarProps) {
  if (kind === 'agent') {
    const own = color && color !== defaultAgentColor ? { background: color, color: inkOn(color) } : {}
    return (
      <span
        aria-hidden
        style={{ width: size, height: size, fontSize: size * 0.55, ...own }}
        className="inline-flex shrink-0 items-center justify-center rounded-[30%] border border-agent/30 bg-agent-soft text-agent"
      >
        {pictureOf(name) ?? <Sparkle size={size * 0.6} />}
      </span>
    )
  }
  const background = safeColor(color)
  return (
    <span
      aria-hidden
      data-initials={initials(name)}
      style={{ width: size, height: size, fontSize: size * 0.4, background, color: inkOn(background) }}
      className="inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none before:content-[attr(data-initials)]"
    />
  )
}
