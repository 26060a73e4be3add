import { Eye } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { usePresence } from '../../collaboration/hooks.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { t } from '../../i18n/translate.ts'
import { safeColor } from '../../ui/people/person-look.ts'
import type { Following } from './following.ts'

type FollowBarProps = { connection: DocumentConnection; following: Following; self: string }

/** Names the followed user above the text, with a button to stop; following also stops when that user leaves. */
export function FollowBar({ connection, following, self }: FollowBarProps) {
  const key = useSyncExternalStore(following.subscribe, following.get)
  const here = usePresence(connection, self)
  const followed = here.find((presence) => presence.key === key)
  const isGone = key !== null && followed === undefined
  useEffect(() => {
    if (isGone) following.set(null)
  }, [isGone, following])
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-14 z-10 flex justify-center px-3">
      {followed && (
        <div
          style={{ borderColor: safeColor(followed.color) }}
          className="pop pointer-events-auto flex max-w-full items-center gap-2 rounded-full border-2 bg-surface py-1 pr-1.5 pl-3 text-sm shadow-raised"
        >
          <Eye size={15} aria-hidden className="shrink-0 text-ink-soft" />
          <span className="min-w-0 truncate">
            {tRich('Following <bdi>{name}</bdi>', {
              name: followed.name,
              bdi: (name) => <bdi className="font-medium">{name}</bdi>,
            })}
          </span>
          <button
            type="button"
            onClick={() => following.set(null)}
            className="rounded-full px-2 py-0.5 font-medium text-accent hover:bg-hover"
          >
            {t('Stop')}
          </button>
        </div>
      )}
    </div>
  )
}
