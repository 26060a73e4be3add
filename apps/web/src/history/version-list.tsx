import type { Version } from '@copydesk/protocol'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { listNames } from '../i18n/list-names.ts'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { fallbackColorOf } from '../ui/people/person-look.ts'
import { type Entry as EntryOfDay, inDays, timeOf } from './in-days.ts'
import { type Compared, current, useExtent, useHasBeenVisible } from './use-versions.ts'
import { nameWriters, requestsIn, describeVersion } from './version-texts.ts'

type VersionListProps = {
  document: string
  versions: readonly Version[]
  /** Whether the last of them is the first version of the document. */
  isWhole: boolean
  selected: Compared
  onSelect: (compared: Compared) => void
}

type ListProps = Pick<VersionListProps, 'document' | 'selected' | 'onSelect'>

/** All versions by day, below the current text. The arrow keys move between them. */
export function VersionList({ versions, isWhole, ...list }: VersionListProps) {
  const [now] = useState(() => new Date())
  return (
    <div onKeyDown={moveFocus} className="flex flex-col gap-4 p-2">
      <Button compared={{ version: current }} {...list}>
        <span className="font-medium">{t('Now')}</span>
        <span className="text-xs text-ink-faint">{t('The current text')}</span>
      </Button>
      {inDays(versions, now).map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h3 className="px-3 pb-1 text-xs font-semibold text-ink-faint">{title}</h3>
          <ul className="flex flex-col gap-0.5">
            {entries.map((entry) => (
              <li key={entry.versions.at(-1)?.id}>
                {entry.versions.length === 1 ? (
                  <Single version={entry.versions[0]} isFirst={isWhole && !entry.before} {...list} />
                ) : (
                  <Group {...entry} isWhole={isWhole} {...list} />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Versions close to each other: one entry for all their changes, which expands to the versions. */
function Group({ versions, before, isWhole, ...list }: EntryOfDay & ListProps & { isWhole: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [newest] = versions
  const oldest = versions.at(-1) ?? newest
  const compared = { version: newest.id, since: (before ?? oldest).id }
  const [isSeen, place] = useHasBeenVisible()
  const extent = useExtent(list.document, compared, isSeen)
  const writers = [...new Map(versions.flatMap((each) => each.writers).map((writer) => [writer.id, writer])).values()]
  const asked = requestsIn(versions)
  const span = [...new Set([timeOf(oldest), timeOf(newest)])].join(' – ')
  return (
    <>
      <div className="relative" ref={place}>
        <Button compared={compared} {...list} className="pe-10">
          <bdi className="line-clamp-2 font-medium text-pretty">
            {nameWriters(listNames(writers, { most: 3 }), extent)}
          </bdi>
          {asked !== undefined && <bdi className="line-clamp-2 text-ink-soft">{asked}</bdi>}
          <About writers={writers}>{span}</About>
        </Button>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={t('{count, number} versions, {span}', { count: versions.length, span })}
          title={
            isOpen ? t('Hide the single versions') : t('Show all {count, number} versions', { count: versions.length })
          }
          onClick={() => setOpen(!isOpen)}
          className="absolute end-1 top-1 inline-flex h-8 min-w-8 items-center justify-center gap-0.5 rounded-md px-1 text-xs text-ink-soft tabular-nums hover:bg-hover"
        >
          {versions.length}
          <ChevronDown size={14} aria-hidden className={isOpen ? 'rotate-180' : ''} />
        </button>
      </div>
      {isOpen && (
        <ul className="ms-3 flex flex-col gap-0.5 border-s border-line ps-1">
          {versions.map((version) => (
            <li key={version.id}>
              <Single version={version} isFirst={isWhole && !before && version === oldest} {...list} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Single({ version, isFirst, ...list }: ListProps & { version: Version; isFirst: boolean }) {
  const [isSeen, place] = useHasBeenVisible()
  const compared = { version: version.id }
  const extent = useExtent(list.document, compared, isSeen && !isFirst)
  const { title, detail } = describeVersion(version, { paragraphs: extent, isFirst })
  return (
    <div ref={place}>
      <Button compared={compared} {...list}>
        <bdi className="line-clamp-2 font-medium text-pretty wrap-anywhere" title={title}>
          {title}
        </bdi>
        {detail !== undefined && <bdi className="line-clamp-2 text-ink-soft">{detail}</bdi>}
        <About writers={version.writers}>
          <time dateTime={version.createdAt}>{timeOf(version)}</time>
        </About>
      </Button>
    </div>
  )
}

function About({ writers, children }: { writers: Version['writers']; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2 text-xs text-ink-faint tabular-nums">
      <span aria-hidden className="flex gap-0.5">
        {writers.slice(0, 5).map(({ id, name, color, kind }) => (
          <Avatar
            key={id}
            color={color ?? (kind === 'agent' ? '' : fallbackColorOf(id))}
            {...{ name, kind }}
            size={18}
          />
        ))}
      </span>
      <span>{children}</span>
    </span>
  )
}

type ButtonProps = ListProps & { compared: Compared; className?: string; children: ReactNode }

function Button({ compared, selected, onSelect, className = '', children }: ButtonProps) {
  const isSelected = compared.version === selected.version && compared.since === selected.since
  return (
    <button
      type="button"
      data-version
      autoFocus={isSelected}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => onSelect(compared)}
      className={`flex w-full min-w-0 flex-col gap-1 rounded-lg px-3 py-2 text-start text-sm hover:bg-hover aria-[current=true]:bg-accent-soft ${className}`}
    >
      {children}
    </button>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0) return
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-version]')]
  const next = entries[entries.findIndex((entry) => entry === document.activeElement) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
  next.click()
}
