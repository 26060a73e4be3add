import type { ListedDocument, Me, TextRange } from '@copydesk/protocol'
import { Ellipsis, Star } from 'lucide-react'
import { Fragment, lazy, type ReactNode, useRef } from 'react'
import { documentPath, Link } from '../common/location.tsx'
import { relativeTime } from '../common/relative-time.ts'
import { mayManage } from '../common/roles.ts'
import { Avatar } from '../ui/avatar.tsx'
import { iconButtonClass } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { documentItem } from './folders/dialogs.ts'
import { draggable } from './folders/dragging.ts'
import { markRanges } from './mark-ranges.ts'
import { useStarDocument } from './use-documents.ts'

const DocumentMenuItems = lazy(async () => ({
  default: (await import('./document-menu-items.tsx')).DocumentMenuItems,
}))
const TrashedActions = lazy(async () => ({ default: (await import('./trash-actions.tsx')).TrashedActions }))

type DocumentRowProps = { document: ListedDocument; now: Date; me: Me }

/** One document in the list. */
export function DocumentRow({ document, now, me }: DocumentRowProps) {
  const { trashed, owner, people, peopleCount } = document
  const isMovable = !trashed && !me.guest && mayManage(document)
  return (
    <li
      className="group relative flex min-h-17 items-center gap-2 px-4 py-2.5 transition-colors [contain-intrinsic-size:auto_4.25rem] [content-visibility:auto] hover:bg-sunken lg:gap-4"
      {...(isMovable ? draggable(documentItem(document)) : {})}
    >
      <div className="min-w-0 flex-1">
        <Title document={document} />
        <Line document={document} />
        <p className="truncate text-xs text-ink-faint lg:hidden">
          {owner && owner.id !== me.user.id && (
            <>
              <bdi>{owner.name}</bdi> ·{' '}
            </>
          )}
          <Edited document={document} now={now} me={me} />
        </p>
      </div>
      <span className="hidden w-32 items-center gap-2 text-sm text-ink-soft lg:flex">
        {owner && <Avatar name={owner.name} color={owner.color} kind="person" size={22} />}
        <span className="sr-only">Owner: </span>
        <bdi className="truncate">{owner ? nameOf(owner, me) : 'Nobody'}</bdi>
      </span>
      <People people={people} count={peopleCount} />
      <span className="hidden w-36 text-sm leading-snug text-ink-soft lg:block">
        <Edited document={document} now={now} me={me} isTall />
      </span>
      <div className="relative z-10 flex shrink-0 items-center justify-end lg:w-19">
        {trashed ? <TrashedActions document={document} /> : <LiveActions document={document} me={me} />}
      </div>
    </li>
  )
}

function Title({ document: { id, title, trashed, found } }: { document: ListedDocument }) {
  const shown = <Marked text={title || 'Untitled'} ranges={found?.title ?? []} />
  if (trashed) {
    return (
      <span dir="auto" className="block truncate text-left font-medium text-ink-soft">
        {shown}
      </span>
    )
  }
  return (
    <Link
      to={documentPath(id)}
      dir="auto"
      draggable={false}
      className="block truncate text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {shown}
    </Link>
  )
}

/** The beginning of the text, or the place where a search has found it. */
function Line({ document: { preview, found } }: { document: ListedDocument }) {
  const { text, ranges } = found?.snippet ?? { text: preview, ranges: [] }
  if (text === '') return null
  return (
    <p dir="auto" className="truncate text-left text-sm text-ink-soft">
      <Marked text={text} ranges={ranges} />
    </p>
  )
}

function Marked({ text, ranges }: { text: string; ranges: readonly TextRange[] }) {
  return markRanges(text, ranges).map(({ part, isMarked }, index) =>
    isMarked ? (
      <mark key={index} className="rounded-xs bg-highlight text-ink">
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}

type EditedProps = DocumentRowProps & {
  /** Whether the name is below the time. */
  isTall?: boolean
}

/** When a document was last edited and by whom; in the trash, when it is deleted. */
function Edited({ document, now, me, isTall = false }: EditedProps): ReactNode {
  const { trashed, deletesAt, updatedAt, editedBy } = document
  if (trashed) {
    if (deletesAt === null) return 'Kept in the trash'
    const days = Math.max(0, Math.ceil((Date.parse(deletesAt) - now.getTime()) / 86_400_000))
    const when = days === 0 ? 'today' : days === 1 ? 'in a day' : `in ${days} days`
    return isTall ? `${when[0]?.toUpperCase()}${when.slice(1)}` : `Deleted for good ${when}`
  }
  return (
    <>
      <time dateTime={updatedAt} title={new Date(updatedAt).toLocaleString()} className={isTall ? 'block' : ''}>
        {relativeTime(updatedAt, now)}
      </time>
      {editedBy && (
        <span className={isTall ? 'block truncate text-xs text-ink-faint' : ''}>
          {' '}
          by <bdi>{nameOf(editedBy, me)}</bdi>
        </span>
      )}
    </>
  )
}

function nameOf({ id, name }: { id: string; name: string }, me: Me): string {
  return id === me.user.id ? 'me' : name
}

const shownPeople = 3

function People({ people, count }: { people: ListedDocument['people']; count: number }) {
  const shown = people.slice(0, shownPeople)
  const names = people.map(({ name }) => name)
  const more = count - shown.length
  const text = count === 0 ? 'Opened by nobody yet' : `Opened by ${listOf(names, count)}`
  return (
    <span className="hidden w-24 shrink-0 items-center sm:flex">
      <span className="sr-only">{text}</span>
      <Tooltip text={text}>
        <span aria-hidden className="relative z-10 flex items-center -space-x-1 rtl:space-x-reverse">
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

function listOf(names: readonly string[], count: number): string {
  const others = count - names.length
  return new Intl.ListFormat('en').format(others > 0 ? [...names, `${others} more`] : names)
}

function LiveActions({ document, me }: { document: ListedDocument; me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const name = document.title || 'Untitled'
  return (
    <>
      <StarButton document={document} />
      <Menu
        trigger={
          <button ref={button} type="button" aria-label={`Actions for ${name}`} className={iconButtonClass}>
            <Ellipsis size={18} aria-hidden />
          </button>
        }
      >
        <DocumentMenuItems document={document} me={me} opener={() => button.current} />
      </Menu>
    </>
  )
}

function StarButton({ document: { id, title, starred } }: { document: ListedDocument }) {
  const star = useStarDocument()
  return (
    <button
      type="button"
      aria-label={`Star ${title || 'Untitled'}`}
      aria-pressed={starred}
      data-tooltip={starred ? 'Remove star' : 'Star'}
      onClick={() => star.mutate({ id, starred: !starred })}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-faint transition-colors hover:bg-hover hover:text-ink aria-pressed:text-star max-sm:hidden pointer-coarse:size-10 [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100 [@media(hover:hover)]:aria-pressed:opacity-100"
    >
      <Star size={17} aria-hidden fill={starred ? 'currentColor' : 'none'} />
    </button>
  )
}
