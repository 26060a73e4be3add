import type { ReactionEmoji } from '@copydesk/protocol'
import { Eye, Frown, Heart, type LucideIcon, PartyPopper, Rocket, Smile, ThumbsDown, ThumbsUp } from 'lucide-react'
import { type EnglishText, t } from '../../../i18n/translate.ts'

// Icons look the same on every system; some systems have no font with emoji.
const shown: Record<ReactionEmoji, { name: EnglishText; Icon: LucideIcon }> = {
  '👍': { name: 'Thumbs up', Icon: ThumbsUp },
  '👎': { name: 'Thumbs down', Icon: ThumbsDown },
  '❤️': { name: 'Heart', Icon: Heart },
  '🎉': { name: 'Party', Icon: PartyPopper },
  '😄': { name: 'Smile', Icon: Smile },
  '😕': { name: 'Confused', Icon: Frown },
  '👀': { name: 'Eyes', Icon: Eye },
  '🚀': { name: 'Rocket', Icon: Rocket },
}

export function nameOfReaction(emoji: ReactionEmoji): string {
  return t(shown[emoji].name)
}

export function ReactionIcon({ emoji, size }: { emoji: ReactionEmoji; size: number }) {
  const { Icon } = shown[emoji]
  return <Icon size={size} aria-hidden />
}
