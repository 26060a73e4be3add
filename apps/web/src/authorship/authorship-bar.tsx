import type { Me } from '@copydesk/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { PenLine, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { fetchAuthorship } from '../api/versions.ts'
import { createStore } from '../common/store.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { formatDate } from '../i18n/format.ts'
import { tRich } from '../i18n/rich-text.ts'
import { t } from '../i18n/translate.ts'
import { IconButton } from '../ui/button.tsx'
import './authorship.css'
import {
  type AuthorshipState,
  FollowedAuthorship,
  type LegendEntry,
  type PointedWriting,
} from './followed-authorship.ts'
import { Problem } from '../ui/problem.tsx'

type AuthorshipBarProps = { editor: Editor; connection: DocumentConnection; me: Me; onClose: () => void }

const nothing = createStore<AuthorshipState>({ legend: [], pointed: null })

/**
 * The bar below the text in the authorship view: the legend, and the author of the text under the mouse or at the
 * caret.
 */
export function AuthorshipBar({ editor, connection, me, onClose }: AuthorshipBarProps) {
  const { document } = connection
  const query = useQuery({
    queryKey: ['authorship', document],
    queryFn: ({ signal }) => fetchAuthorship(document, signal),
    gcTime: 0,
    refetchOnMount: 'always',
  })
  const followed = useFollowed(editor, connection, me)
  const { data } = query
  useEffect(() => {
    if (followed && data) followed.show(data)
  }, [followed, data])
  const store = followed?.state ?? nothing
  const { legend, pointed } = useSyncExternalStore(store.subscribe, store.get)
  return (
    <section
      aria-label={t('Authorship')}
      className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-page py-1.5 pr-2 pl-4 text-sm"
    >
      <h2 className="flex items-center gap-1.5 font-medium">
        <PenLine size={15} aria-hidden className="text-ink-soft" />
        {t('Authorship')}
      </h2>
      <ul
        aria-label={t('Who wrote this text')}
        className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 max-sm:order-1 max-sm:basis-full"
      >
        {legend.map((entry) => (
          <Author key={entry.id} entry={entry} self={me.user.id} />
        ))}
        {query.isPending && <li className="text-ink-faint">{t('Reading who wrote what…')}</li>}
        {query.isSuccess && legend.length === 0 && (
          <li className="text-ink-faint">{t('Nobody has written anything yet.')}</li>
        )}
      </ul>
      {!data && <Problem error={query.error} />}
      <p
        aria-live="polite"
        className="min-w-0 flex-1 basis-40 truncate text-end text-ink-soft max-sm:order-1 max-sm:basis-full max-sm:text-start"
      >
        {pointed && <Pointed writing={pointed} />}
      </p>
      <IconButton
        className="max-sm:ms-auto"
        label={t('Hide authorship')}
        onClick={() => {
          onClose()
          editor.commands.focus()
        }}
        icon={X}
      />
    </section>
  )
}

function Author({ entry: { id, name, color, kind }, self }: { entry: LegendEntry; self: string }) {
  return (
    <li className="flex min-w-0 items-center gap-1.5">
      <span
        aria-hidden
        className={`authored-swatch authored authored-${kind}`}
        style={{ ['--author' as string]: color }}
      />
      <bdi className="max-w-40 truncate">{name}</bdi>
      {id === self && <span className="text-ink-faint">{t('(you)')}</span>}
    </li>
  )
}

function Pointed({ writing: { author, request, at } }: { writing: PointedWriting }) {
  return (
    <>
      <bdi className="font-medium text-ink">{request?.agentName ?? author.name}</bdi> ·{' '}
      {at ? momentOf(at) : t('just now')}
      {request && (
        <>
          {' · '}
          {request.agentName === request.instruction
            ? t('Asked by {name}', { name: request.invokedBy.name })
            : tRich('<bdi>{name}</bdi> asked: “<bdi>{request}</bdi>”', {
                name: request.invokedBy.name,
                request: request.instruction,
              })}
        </>
      )}
    </>
  )
}

function momentOf(iso: string): string {
  return formatDate(iso, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

function useFollowed(editor: Editor, connection: DocumentConnection, { user }: Me): FollowedAuthorship | undefined {
  const client = useQueryClient()
  const [followed, setFollowed] = useState<FollowedAuthorship>()
  const { document } = connection
  useEffect(() => {
    const onOutdated = () => void client.invalidateQueries({ queryKey: ['authorship', document] })
    const following = new FollowedAuthorship({ editor, connection, self: user, onOutdated })
    setFollowed(following)
    return () => {
      following.close()
      setFollowed(undefined)
    }
  }, [editor, connection, user, client, document])
  return followed
}
