import type { Me } from '@copydesk/protocol'
import { t } from '../../i18n/translate.ts'
import { LoadFailure } from '../../ui/loaded.tsx'
import { useState } from 'react'
import { readIndex, storeName, storesOf } from '../../collaboration/offline-index.ts'
import { documentPath, Link } from '../../common/location.tsx'
import { relativeTime } from '../../common/relative-time.ts'
import { readTitles } from './kept-titles.ts'

export { keepTitles } from './kept-titles.ts'

type ListProblemProps = { me: Me; text: string; onRetry: () => void }

/** Shown instead of a list that can't be loaded: the reason, and the documents that this browser stores. */
export function ListProblem({ me, text, onRetry }: ListProblemProps) {
  return (
    <>
      <LoadFailure text={text} onRetry={onRetry} />
      <StoredDocuments me={me} />
    </>
  )
}

/** The documents that this browser stores for the user: they can be opened and edited without the server. */
function StoredDocuments({ me }: { me: Me }) {
  const [documents] = useState(() => listKept(me.user.id))
  if (documents.length === 0) return null
  return (
    <section aria-labelledby="kept-heading" className="mt-6">
      <h2 id="kept-heading" className="mb-2 text-sm font-semibold">
        {t('In this browser')}
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
        {documents.map(({ id, title, openedAt, isUnsent }) => (
          <li key={id} className="relative flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-sunken">
            <Link
              to={documentPath(id)}
              dir="auto"
              className="min-w-0 flex-1 truncate text-start font-medium after:absolute after:inset-0"
            >
              {title}
            </Link>
            {isUnsent && <span className="text-xs text-warn">{t('Changes not sent yet')}</span>}
            <span className="shrink-0 text-sm text-ink-faint">
              {t('Opened {time}', { time: relativeTime(new Date(openedAt).toISOString(), new Date()) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function listKept(account: string) {
  const index = readIndex()
  const titles = readTitles(account)
  return storesOf(index, account)
    .flatMap((name) => {
      const kept = index[name]
      const id = name.slice(storeName(account, '').length)
      return kept ? [{ id, title: titles[id] || t('Untitled'), ...kept, isUnsent: kept.unsentSince !== null }] : []
    })
    .toSorted((a, b) => b.openedAt - a.openedAt)
}
