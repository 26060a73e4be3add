import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { PaletteEntry, PaletteGroup } from '../common/commands/palette-additions.ts'
import { formatShortcut, isMacLike } from '../common/commands/shortcut-keys.ts'
import { t } from '../i18n/translate.ts'

type ComboboxProps = {
  label: string
  placeholder: string
  search: string
  onSearch: (search: string) => void
  groups: readonly PaletteGroup[]
  /** Whether these groups are complete for this search. */
  isSettled: boolean
  onChoose: (entry: PaletteEntry) => void
}

/**
 * A search field with its results below it. The field keeps the focus and points at the active result, which is the
 * first until the user moves to another one.
 */
export function Combobox({ label, placeholder, search, onSearch, groups, isSettled, onChoose }: ComboboxProps) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const { active, count, move, moveTo } = useActive(groups)
  useEffect(() => showActive(list.current), [active?.key])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') {
      if (active) onChoose(active.entry)
    } else return
    event.preventDefault()
  }
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden className="shrink-0 text-ink-faint" />
        <input
          autoFocus
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={count > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active.key)}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          maxLength={2000}
          placeholder={placeholder}
          value={search}
          onChange={({ target }) => {
            onSearch(target.value)
            moveTo(undefined)
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-faint"
        />
      </div>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t('Results')}
        className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-2 pb-2 empty:p-0"
      >
        {groups.map((group) => (
          <Group key={group.title} {...{ group, listId, onChoose }} active={active?.key} onMove={moveTo} />
        ))}
      </div>
      {count === 0 && (
        <p className="p-5 text-center text-sm text-ink-soft">{t(isSettled ? 'Nothing found.' : 'Searching…')}</p>
      )}
      <p role="status" className="sr-only">
        {isSettled && search !== '' && t('{count, plural, one {# result} other {# results}}', { count })}
      </p>
    </>
  )
}

/** The active result: the first one, or the one that was last moved to while it exists. */
function useActive(groups: readonly PaletteGroup[]) {
  const [moved, moveTo] = useState<string>()
  const all = groups.flatMap(({ title, entries }) => entries.map((entry) => ({ key: keyOf(title, entry.id), entry })))
  const at = Math.max(
    0,
    all.findIndex(({ key }) => key === moved),
  )
  const move = (by: number) => moveTo(all[(at + by + all.length) % all.length]?.key)
  return { active: all[at], count: all.length, move, moveTo }
}

type GroupProps = {
  group: PaletteGroup
  listId: string
  active: string | undefined
  onMove: (key: string) => void
  onChoose: (entry: PaletteEntry) => void
}

function Group({ group: { title, entries }, listId, active, onMove, onChoose }: GroupProps) {
  const heading = optionId(listId, title)
  return (
    <div role="group" aria-labelledby={heading} className="pt-2">
      <div id={heading} className="px-2.5 py-1 text-xs font-medium text-ink-faint">
        {title}
      </div>
      {entries.map((entry) => {
        const key = keyOf(title, entry.id)
        return (
          <div
            key={entry.id}
            id={optionId(listId, key)}
            role="option"
            aria-selected={key === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            // A list that opens under a resting mouse keeps its first result active.
            onMouseMove={() => onMove(key)}
            onClick={() => onChoose(entry)}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm aria-selected:bg-hover pointer-coarse:min-h-11"
          >
            <Entry entry={entry} />
          </div>
        )
      })}
    </div>
  )
}

function Entry({ entry: { label, icon: Icon, detail, keys } }: { entry: PaletteEntry }) {
  return (
    <>
      <span aria-hidden className="flex w-4 shrink-0 justify-center text-ink-soft">
        {Icon && <Icon size={16} />}
      </span>
      <span dir="auto" className="min-w-0 truncate">
        {label}
      </span>
      {detail !== undefined && <span className="max-w-1/2 shrink-0 truncate text-ink-faint">{detail}</span>}
      {keys !== undefined && (
        <kbd className="ms-auto shrink-0 ps-2 font-sans text-xs text-ink-faint pointer-coarse:hidden">
          {formatShortcut(keys, isMacLike())}
        </kbd>
      )}
    </>
  )
}

function keyOf(title: string, id: string): string {
  return `${title} ${id}`
}

// Ids of elements have no spaces.
function optionId(list: string, key: string): string {
  return `${list}-${encodeURIComponent(key)}`
}

/** Scrolls the active result into view; the first one with the heading above it. */
function showActive(list: HTMLElement | null): void {
  const options = [...(list?.querySelectorAll('[role="option"]') ?? [])]
  const active = options.find((option) => option.ariaSelected === 'true')
  if (active && active === options[0]) list?.scrollTo({ top: 0 })
  else active?.scrollIntoView({ block: 'nearest' })
}
