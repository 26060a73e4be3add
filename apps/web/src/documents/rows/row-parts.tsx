import type { ListedDocument, Me, TextRange } from '@copydesk/protocol'
import { Fragment, type ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { markRanges, nearFirst } from './mark-ranges.ts'

/** The frame of a row in a list of documents. */
export const rowClass =
  'group relative flex min-h-17 items-center gap-2 px-4 py-2.5 transition-colors [contain-intrinsic-size:auto_4.25rem] [content-visibility:auto] hover:bg-sunken lg:gap-4'

/** The title of a document, with the matches of a search marked. */
export function MarkedTitle({ document: { title, found } }: { document: ListedDocument }) {
  return <Marked text={title || t('Untitled')} ranges={found?.title ?? []} />
}

/** The beginning of a document's text, or the match of a search in it. */
export function TextLine({ document: { preview, found } }: { document: ListedDocument }) {
  const { text, ranges } = found?.snippet ? nearFirst(found.snippet) : { text: preview, ranges: [] }
  if (text === '') return null
  return (
    // A match may be far to the right in a narrow line.
    <p dir="auto" className={`text-left text-sm text-ink-soft ${ranges.length > 0 ? 'line-clamp-2' : 'truncate'}`}>
      <Marked text={text} ranges={ranges} />
    </p>
  )
}

function Marked({ text, ranges }: { text: string; ranges: readonly TextRange[] }): ReactNode {
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

/** The owner of a document, where there is room for a column. */
export function OwnerCell({ document: { owner }, me }: { document: ListedDocument; me: Me }) {
  return (
    <span className="hidden w-32 items-center gap-2 text-sm text-ink-soft lg:flex">
      {owner && <Avatar name={owner.name} color={owner.color} kind="person" size={22} />}
      <span className="sr-only">{t('Owner:')} </span>
      <bdi className="truncate">{owner ? nameOf(owner, me) : t('Nobody')}</bdi>
    </span>
  )
}

function nameOf({ id, name }: { id: string; name: string }, me: Me): string {
  return id === me.user.id ? t('me') : name
}
