import type { DocumentSort } from '@copydesk/protocol'
import { ArrowDownWideNarrow, ChevronDown, Star, UserRound, Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { navigate } from '../common/location.tsx'
import { type EnglishText, t } from '../i18n/translate.ts'
import { Menu } from '../ui/menus/menu.tsx'
import { MenuOptions } from '../ui/menus/menu-parts.tsx'
import { type ListAddress, listPath } from './data/list-address.ts'
import { PersonFilter } from './person-filter.tsx'
import { useDebounced } from '../common/use-debounced.ts'
import { inputClass } from '../ui/fields/field.tsx'

const owners = [
  ['anyone', 'Anyone'],
  ['me', 'Me'],
  ['others', 'Others'],
] as const satisfies readonly (readonly [string, EnglishText])[]

const orders: readonly (readonly [DocumentSort, EnglishText])[] = [
  ['edited', 'Last edited'],
  ['created', 'Last created'],
  ['title', 'Title'],
]

/** The filters and the order of a list: search, filters, sorting. */
export function ListBar({ address }: { address: ListAddress }) {
  return (
    <>
      <SearchField address={address} />
      <div className="-m-1 flex items-center gap-2 overflow-x-auto p-1 max-sm:fade-end max-sm:-mx-4 max-sm:w-screen max-sm:px-4">
        <ListFilters address={address} />
      </div>
    </>
  )
}

function ListFilters({ address }: { address: ListAddress }) {
  const { owner, starred, person, sort, trash } = address
  const ownerOptions = owners.map(([key, name]) => [key, t(name)] as const)
  const orderOptions = orders.map(([key, name]) => [key, t(name)] as const)
  const show = (change: Partial<ListAddress>) => navigate(listPath({ ...address, ...change }))
  return (
    <>
      <Menu
        trigger={
          <FilterButton isActive={owner !== null}>
            {t('Owner: {name}', { name: nameOf(ownerOptions, owner ?? 'anyone') })}
          </FilterButton>
        }
      >
        <MenuOptions
          value={owner ?? 'anyone'}
          options={ownerOptions}
          onChange={(chosen) => show({ owner: chosen === 'anyone' ? null : chosen })}
        />
      </Menu>
      <PersonFilter
        person={person}
        onPerson={(chosen) => show({ person: chosen })}
        trigger={(name) => (
          <FilterButton isActive={person !== null} icon={<UserRound size={15} aria-hidden />}>
            {name ?? t('People')}
          </FilterButton>
        )}
      />
      {!trash && (
        <button
          type="button"
          aria-pressed={starred}
          onClick={() => show({ starred: !starred })}
          className={filterClass(starred)}
        >
          <Star size={15} aria-hidden fill={starred ? 'currentColor' : 'none'} />
          <span className="max-sm:sr-only">{t('Starred')}</span>
        </button>
      )}
      <Menu
        trigger={
          <FilterButton isActive={false} isShort icon={<ArrowDownWideNarrow size={15} aria-hidden />}>
            <span className="sr-only">{t('Order:')} </span>
            <span className="max-sm:sr-only">{nameOf(orderOptions, sort)}</span>
          </FilterButton>
        }
      >
        <MenuOptions value={sort} options={orderOptions} onChange={(chosen) => show({ sort: chosen })} />
      </Menu>
    </>
  )
}

function nameOf<Key>(options: readonly (readonly [Key, string])[], wanted: Key): string {
  return options.find(([key]) => key === wanted)?.[1] ?? ''
}

type FilterButtonProps = ComponentProps<'button'> & {
  isActive: boolean
  icon?: ReactNode
  /** Whether narrow windows show only the icon. */
  isShort?: boolean
}

function FilterButton({ isActive, icon, isShort = false, children, ...rest }: FilterButtonProps) {
  return (
    <button type="button" {...rest} className={filterClass(isActive)}>
      {icon}
      {children}
      <ChevronDown size={14} aria-hidden className={`opacity-70 ${isShort ? 'max-sm:hidden' : ''}`} />
    </button>
  )
}

function filterClass(isActive: boolean): string {
  const look = isActive ? 'border-accent/50 bg-accent-soft text-accent-strong' : 'border-line bg-surface text-ink-soft'
  return `inline-flex h-9 max-w-56 shrink-0 items-center justify-center gap-1.5 truncate rounded-md border px-2.5 text-sm hover:text-ink data-[state=open]:bg-hover pointer-coarse:h-10 ${look}`
}

/** The search text of the list. It is written to the address after a pause in typing. */
function SearchField({ address }: { address: ListAddress }) {
  const [text, setText] = useState(address.query)
  const [shown, setShown] = useState(address.query)
  // The address was changed elsewhere: another list, or *Back*.
  if (shown !== address.query) {
    setShown(address.query)
    if (text.trim() !== address.query) setText(address.query)
  }
  const settled = useDebounced(text.trim(), 200)
  const search = useEffectEvent((query: string) => {
    if (query === text.trim() && query !== address.query) navigate(listPath({ ...address, query }), { replace: true })
  })
  useEffect(() => search(settled), [settled])
  const placeholder = address.trash
    ? t('Search the trash')
    : address.folder === null
      ? t('Search titles and text')
      : t('Search this folder')
  return (
    <div className="relative min-w-48 flex-1 max-sm:basis-full">
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint"
      />
      <input
        type="search"
        aria-label={t('Search documents')}
        placeholder={placeholder}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} pl-9`}
      />
    </div>
  )
}
