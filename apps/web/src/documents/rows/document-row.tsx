import type { ListedDocument, Me } from '@copydesk/protocol'
import { memo, Suspense } from 'react'
import { lazyPart, separatePart } from '../../common/lazy-part.ts'
import { documentPath, Link } from '../../common/location.tsx'
import { relativeTime } from '../../common/relative-time.ts'
import { mayManage } from '../../common/roles.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { listNames } from '../../i18n/list-names.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Tooltip } from '../../ui/tooltips/tooltip.tsx'
import { documentItem } from '../folders/dialogs.ts'
import { draggable } from '../folders/dragging.ts'
import { MarkedTitle, OwnerCell, rowClass, TextLine } from './row-parts.tsx'

const FolderLink = separatePart(async () => (await import('../folders/folder-links.tsx')).FolderLink)
const RowActions = lazyPart(async () => (await import('./row-actions.tsx')).RowActions)

type DocumentRowProps = { document: ListedDocument; now: Date; me: Me; listFolder?: string | null }

/**
 * One document in a list, with its folder unless that is the folder of the list, `listFolder`. Renders again only after
 * a change: a list may have a thousand rows.
 */
export const DocumentRow = memo(function DocumentRow({ document, now, me, listFolder = null }: DocumentRowProps) {
  const { id, owner } = document
  const folderLink = document.folder !== null && document.folder !== listFolder && <FolderLink id={document.folder} />
  const isMovable = !me.guest && mayManage(document)
  return (
    <li className={rowClass} {...(isMovable ? draggable(documentItem(document)) : {})}>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-4">
          <Link
            to={documentPath(id)}
            dir="auto"
            draggable={false}
            className="min-w-0 truncate text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <MarkedTitle document={document} />
          </Link>
          <span className="ms-auto hidden shrink-0 lg:block">{folderLink}</span>
        </div>
        <TextLine document={document} />
        <p className="flex items-center gap-2 text-xs text-ink-faint lg:hidden">
          {folderLink}
          <span className="truncate">
            {owner && owner.id !== me.user.id && (
              <>
                <bdi>{owner.name}</bdi> ·{' '}
              </>
            )}
            <Edited document={document} now={now} me={me} />
          </span>
        </p>
      </div>
      <OwnerCell document={document} me={me} />
      <People document={document} />
      <span className="hidden w-36 text-sm leading-snug text-ink-soft lg:block">
        <Edited document={document} now={now} me={me} isTall />
      </span>
      <div className="relative z-10 flex shrink-0 items-center justify-end lg:w-19">
        <Suspense fallback={<div className="h-9 w-9 sm:w-18" />}>
          <RowActions document={document} me={me} />
        </Suspense>
      </div>
    </li>
  )
})

/** The last edit of a document: its author, and its time next to it or below it. */
function Edited({ document, now, me, isTall = false }: DocumentRowProps & { isTall?: boolean }) {
  const { updatedAt, editedBy } = document
  return (
    <>
      <time dateTime={updatedAt} title={formatDate(updatedAt, dateAndTime)} className={isTall ? 'block' : ''}>
        {relativeTime(updatedAt, now)}
      </time>
      {editedBy && (
        <span className={isTall ? 'block truncate text-xs text-ink-faint' : ''}>
          {' '}
          {editedBy.id === me.user.id
            ? tRich('by <bdi>me</bdi>', {})
            : tRich('by <bdi>{name}</bdi>', { name: editedBy.name })}
        </span>
      )}
    </>
  )
}

const shownPeople = 3

function People({ document: { people, peopleCount: count } }: { document: ListedDocument }) {
  const shown = people.slice(0, shownPeople)
  const more = count - shown.length
  const text = count === 0 ? t('Opened by nobody yet') : t('Opened by {names}', { names: listNames(people, { count }) })
  return (
    <span className="hidden w-24 shrink-0 items-center sm:flex">
      <span className="sr-only">{text}</span>
      <Tooltip text={text}>
        <span aria-hidden className="relative z-10 flex items-center -space-x-0.5 rtl:space-x-reverse">
          {shown.map(({ id, name, color }) => (
            <span key={id} className="rounded-full ring-2 ring-surface">
              <Avatar name={name} color={color} kind="person" size={24} />
            </span>
          ))}
          {more > 0 && (
            <span className="inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-hover px-1 text-xs font-medium text-ink-soft ring-2 ring-surface">
              +{more}
            </span>
          )}
        </span>
      </Tooltip>
    </span>
  )
}
