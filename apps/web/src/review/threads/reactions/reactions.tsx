import { listNames } from '../../../i18n/list-names.ts'
import { t } from '../../../i18n/translate.ts'
import { Tooltip } from '../../../ui/tooltips/tooltip.tsx'
import { nameOfReaction, ReactionIcon } from './reaction-icons.tsx'
import { isBy, type ReactionsProps, useToggleReaction } from './use-toggle-reaction.ts'

const namedAtMost = 10

/** The reactions to a comment with their counts; for users who may comment, each is a button for their own reaction. */
export function Reactions({ canComment, ...props }: ReactionsProps & { canComment: boolean }) {
  const toggle = useToggleReaction(props)
  const { comment, self } = props
  if (!comment.reactions) return null
  return (
    <ul aria-label={t('Reactions')} className="mt-1.5 flex flex-wrap gap-1">
      {comment.reactions.map((reaction) => (
        <li key={reaction.emoji}>
          <Tooltip text={listNames(reaction.people, { most: namedAtMost })}>
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
