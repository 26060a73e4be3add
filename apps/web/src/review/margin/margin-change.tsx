import { TextPairView, TimeOfDay } from '@copydesk/agent-panel'
import { memo } from 'react'
import { currentWording } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Contributors, nameChange } from '../changes/change-text.tsx'
import { decisions, useDecide } from '../changes/decisions.tsx'
import type { OpenChange } from '../text/review-ui.ts'

type MarginChangeProps = {
  change: OpenChange
  document: string
  active: boolean
  canDecide: boolean
  colorOf: (id: string) => string
}

/** A suggested change in the margin: author, text, and the buttons to decide. */
export const MarginChange = memo(function MarginChange(props: MarginChangeProps) {
  const { change, document, active, canDecide, colorOf } = props
  const { author, instruction } = change
  return (
    <div data-change-card="" className="p-3">
      <div className="flex items-center gap-2">
        {author && <Avatar name={author.name} color={colorOf(author.id)} kind={author.kind} size={20} />}
        <p className="min-w-0 flex-1 truncate text-sm font-semibold">{author?.name ?? t('Unknown person')}</p>
        {change.createdAt && <TimeOfDay iso={change.createdAt} locale={currentWording().locale} />}
        {canDecide && <Decide change={change.id} document={document} />}
      </div>
      <Contributors change={change} />
      {active && instruction && (
        <p dir="auto" className="mt-1 line-clamp-2 text-xs text-ink-soft" title={instruction}>
          {t('Asked to “{request}”', { request: instruction })}
        </p>
      )}
      {active ? (
        <div className="mt-1 max-h-72 overflow-y-auto">
          <span className="text-xs text-ink-faint">{nameChange(change)}</span>
          <TextPairView pair={change} />
        </div>
      ) : (
        <div className="mt-1 line-clamp-2">
          <TextPairView pair={change} />
        </div>
      )}
    </div>
  )
}, isSame)

function Decide({ change, document }: { change: string; document: string }) {
  const decide = useDecide(document)
  return (
    <span className="-me-1.5 flex">
      {decisions.map(({ decision, label, icon }) => (
        <IconButton
          key={decision}
          label={t(label)}
          disabled={decide.isPending}
          onClick={() => decide.mutate({ change, decision })}
          className="size-7!"
          icon={icon}
          size={15}
        />
      ))}
    </span>
  )
}

// Ignores the positions of a change, which its card doesn't show.
function isSame(a: MarginChangeProps, b: MarginChangeProps): boolean {
  const isShownAlike =
    a.active === b.active && a.canDecide === b.canDecide && a.colorOf === b.colorOf && a.document === b.document
  const keys = ['id', 'type', 'before', 'after', 'author', 'alsoBy', 'createdAt', 'instruction'] as const
  return isShownAlike && keys.every((key) => a.change[key] === b.change[key])
}
