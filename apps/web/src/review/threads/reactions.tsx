import { type Comment, type Reaction, ReactionEmoji } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import {
  Eye,
  Frown,
  Heart,
  type LucideIcon,
  PartyPopper,
  Rocket,
  Smile,
  SmilePlus,
  ThumbsDown,
  ThumbsUp,
} from 'lucide-react'
import { Popover, Toolbar } from 'radix-ui'
import { useState } from 'react'
import { react } from '../../api/review.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { showError } from '../../ui/toasts.tsx'

// Icons look the same everywhere; not every system has a font with emoji.
const shown: Record<ReactionEmoji, { name: string; Icon: LucideIcon }> = {
  '👍': { name: 'Thumbs up', Icon: ThumbsUp },
  '👎': { name: 'Thumbs down', Icon: ThumbsDown },
  '❤️': { name: 'Heart', Icon: Heart },
  '🎉': { name: 'Party', Icon: PartyPopper },
  '😄': { name: 'Smile', Icon: Smile },
  '😕': { name: 'Confused', Icon: Frown },
  '👀': { name: 'Eyes', Icon: Eye },
  '🚀': { name: 'Rocket', Icon: Rocket },
}

const namedAtMost = 10

/** A comment by the ids of its document and thread, and the user whose reactions are added and removed. */
type ReactionsProps = { document: string; thread: string; comment: Comment; self: string }

/** The reactions to a comment with their counts; for those who may comment each is a button for their own. */
export function Reactions({ canComment, ...props }: ReactionsProps & { canComment: boolean }) {
  const toggle = useToggle(props)
  const { comment, self } = props
  if (!comment.reactions) return null
  return (
    <ul aria-label="Reactions" className="mt-1.5 flex flex-wrap gap-1">
      {comment.reactions.map((reaction) => (
        <li key={reaction.emoji}>
          <Tooltip text={namesIn(reaction)}>
            <button
              type="button"
              aria-label={`${shown[reaction.emoji].name}: ${reaction.people.length}`}
              aria-pressed={isBy(reaction, self)}
              disabled={!canComment}
              onClick={() => toggle(reaction.emoji)}
              className="flex h-6 items-center gap-1 rounded-full border border-line bg-surface px-2 text-xs text-ink-soft tabular-nums enabled:hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong pointer-coarse:h-9"
            >
              <ReactionIcon emoji={reaction.emoji} size={14} />
              {reaction.people.length}
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}

/** A button that opens the choice of reactions; `className` styles it. */
export function AddReaction({ className, ...props }: ReactionsProps & { className: string }) {
  const [isOpen, setOpen] = useState(false)
  const toggle = useToggle(props)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" aria-label={`React to the comment by ${props.comment.author.name}`} className={className}>
          <SmilePlus size={15} aria-hidden />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Reactions"
          className="pop z-50 rounded-full border border-line bg-surface p-1 shadow-raised"
        >
          <Toolbar.Root aria-label="Reactions" className="flex">
            {ReactionEmoji.options.map((emoji) => (
              <Tooltip key={emoji} text={shown[emoji].name}>
                <Toolbar.Button
                  aria-label={shown[emoji].name}
                  onClick={() => {
                    setOpen(false)
                    toggle(emoji)
                  }}
                  className="flex size-8 items-center justify-center rounded-full text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
                >
                  <ReactionIcon emoji={emoji} size={17} />
                </Toolbar.Button>
              </Tooltip>
            ))}
          </Toolbar.Root>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function ReactionIcon({ emoji, size }: { emoji: ReactionEmoji; size: number }) {
  const { Icon } = shown[emoji]
  return <Icon size={size} aria-hidden />
}

/** A function that adds the user's reaction, or removes it; it shows with the comment when the server has stored it. */
function useToggle({ document, thread, comment, self }: ReactionsProps): (emoji: ReactionEmoji) => void {
  const { mutate } = useMutation({
    mutationFn: (emoji: ReactionEmoji) => {
      const given = comment.reactions?.find((each) => each.emoji === emoji)
      return react(document, thread, comment.id, { emoji, isOn: !given || !isBy(given, self) })
    },
    onError: showError,
  })
  return mutate
}

function isBy({ people }: Reaction, person: string): boolean {
  return people.some(({ id }) => id === person)
}

function namesIn({ people }: Reaction): string {
  const named = people.slice(0, namedAtMost).map(({ name }) => name)
  const others = people.length - named.length
  return new Intl.ListFormat('en').format(others === 0 ? named : [...named, `${others} more`])
}
