import type { Version } from '@copydesk/protocol'
import { type KeyboardEvent, useState } from 'react'
import { Avatar } from '../ui/avatar.tsx'
import { fallbackColorOf } from '../ui/person-look.ts'
import { inDays, timeOf } from './in-days.ts'
import { current } from './use-versions.ts'

type VersionListProps = { versions: readonly Version[]; selected: string; onSelect: (version: string) => void }

/** All versions by day, below the current text. The arrow keys move between them. */
export function VersionList({ versions, selected, onSelect }: VersionListProps) {
  const [now] = useState(() => new Date())
  return (
    <div onKeyDown={moveFocus} className="flex flex-col gap-4 p-2">
      <Entry id={current} selected={selected} onSelect={onSelect}>
        <span className="font-medium">Now</span>
        <span className="text-xs text-ink-faint">The current text</span>
      </Entry>
      {inDays(versions, now).map(({ title, versions: each }) => (
        <section key={title} aria-label={title}>
          <h3 className="px-3 pb-1 text-xs font-semibold text-ink-faint">{title}</h3>
          <ul className="flex flex-col gap-0.5">
            {each.map((version) => (
              <li key={version.id}>
                <Entry id={version.id} selected={selected} onSelect={onSelect}>
                  <VersionLines version={version} />
                </Entry>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type EntryProps = { id: string; selected: string; onSelect: (id: string) => void; children: React.ReactNode }

function Entry({ id, selected, onSelect, children }: EntryProps) {
  return (
    <button
      type="button"
      data-version
      autoFocus={id === selected}
      aria-current={id === selected ? 'true' : undefined}
      onClick={() => onSelect(id)}
      className="flex w-full min-w-0 flex-col gap-1 rounded-lg px-3 py-2 text-start text-sm hover:bg-hover aria-[current=true]:bg-accent-soft"
    >
      {children}
    </button>
  )
}

function VersionLines({ version }: { version: Version }) {
  const { name, run, restored, writers } = version
  return (
    <>
      <span className="flex w-full min-w-0 items-baseline gap-2">
        {name !== null && (
          <bdi className="min-w-0 flex-1 truncate font-medium" title={name}>
            {name}
          </bdi>
        )}
        <time
          dateTime={version.createdAt}
          className={name === null ? 'font-medium tabular-nums' : 'shrink-0 text-xs text-ink-faint tabular-nums'}
        >
          {timeOf(version)}
        </time>
      </span>
      {run && (
        <span className="line-clamp-2 text-ink-soft">
          <bdi>{run.invokedBy.name}</bdi> asked: “<bdi>{run.instruction}</bdi>”
        </span>
      )}
      {restored && (
        <span className="truncate text-ink-soft">
          Restored <bdi>{restored.name === null ? `the version of ${timeOf(restored)}` : `“${restored.name}”`}</bdi>
        </span>
      )}
      <span className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        {writers.map(({ id, name: writer, color, kind }) => (
          <span key={id} className="flex min-w-0 items-center gap-1.5 text-xs text-ink-soft">
            <Avatar name={writer} color={color ?? fallbackColorOf(id)} kind={kind} size={18} />
            <bdi className="truncate">{writer}</bdi>
          </span>
        ))}
      </span>
    </>
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
