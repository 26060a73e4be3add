import type { Comment, Reaction, ReactionEmoji } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { SmilePlus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { react } from '../../api/review.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { showError } from '../../ui/toasts.tsx'
import { nameOfReaction, ReactionIcon } from './reaction-icons.tsx'

const loadPicker = () => import('./reaction-picker.tsx')
const ReactionPicker = lazy(async () => ({ default: (await loadPicker()).ReactionPicker }))

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
              aria-label={`${nameOfReaction(reaction.emoji)}: ${reaction.people.length}`}
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
  const button = useRef<HTMLButtonElement>(null)
  const toggle = useToggle(props)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={`React to the comment by ${props.comment.author.name}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={className}
        onPointerEnter={() => void loadPicker()}
        onClick={() => setOpen(true)}
      >
        <SmilePlus size={15} aria-hidden />
      </button>
      {isOpen && (
        <Suspense>
          <ReactionPicker anchor={button} onClose={() => setOpen(false)} onChoose={toggle} />
        </Suspense>
      )}
    </>
  )
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
