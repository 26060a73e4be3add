import type { Me } from '@copydesk/protocol'
import { FilePlus2, Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { useDebounced } from '../common/use-debounced.ts'
import { Bell } from '../notifications/bell.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { inputClass } from '../ui/field.tsx'
import { ThemeToggle } from '../ui/theme.tsx'
import { DocumentList } from './document-list.tsx'
import { useCreateDocument } from './use-documents.ts'

const ImportButton = lazyPart(async () => (await import('./import-button.tsx')).ImportButton)
const AccountMenu = lazyPart(async () => (await import('../account/account-menu.tsx')).AccountMenu)

/** All documents of the caller: search, open, create, rename, move to the trash and restore. */
export function DocumentListPage({ me }: { me: Me }) {
  const [search, setSearch] = useState('')
  const [trash, setTrash] = useState(false)
  const query = useDebounced(search.trim(), 200)
  const create = useCreateDocument()
  useEffect(() => {
    document.title = 'Copydesk'
  }, [])
  return (
    <div className="mx-auto flex min-h-full max-w-3xl flex-col px-4 pb-16 sm:px-6">
      <TopBar me={me} />
      <main className="flex-1">
        <div className="flex flex-wrap items-center justify-between gap-3 pt-6 pb-5">
          <h1 className="text-2xl font-semibold tracking-tight">{trash ? 'Trash' : 'Documents'}</h1>
          {!me.guest && (
            <div className="flex gap-2">
              <Suspense>
                <ImportButton />
              </Suspense>
              <Button look="primary" onClick={() => create.mutate()} disabled={create.isPending}>
                <FilePlus2 size={16} aria-hidden />
                New document
              </Button>
            </div>
          )}
        </div>
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <SearchField value={search} onChange={setSearch} />
          <ViewSwitch trash={trash} onChange={setTrash} />
        </div>
        <DocumentList filter={{ query, trash }} onCreate={() => create.mutate()} />
      </main>
    </div>
  )
}

function TopBar({ me }: { me: Me }) {
  return (
    <header className="flex h-14 items-center gap-2.5">
      <img src="/icon.svg" alt="" width={26} height={26} />
      <span className="font-semibold">Copydesk</span>
      <span className="flex-1" />
      <Bell />
      <ThemeToggle />
      <Suspense fallback={<Self me={me} />}>
        <AccountMenu me={me} />
      </Suspense>
    </header>
  )
}

function Self({ me }: { me: Me }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-sm text-ink-soft">
      <Avatar name={me.user.name} color={me.user.color} kind="person" />
      <span className="hidden max-w-40 truncate sm:inline">{me.user.name}</span>
    </span>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className="relative min-w-48 flex-1">
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint"
      />
      <input
        type="search"
        aria-label="Search documents"
        placeholder="Search titles and text"
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} pl-9`}
      />
    </div>
  )
}

function ViewSwitch({ trash, onChange }: { trash: boolean; onChange: (trash: boolean) => void }) {
  const look = (pressed: boolean) =>
    `h-7 rounded px-3 text-sm ${pressed ? 'bg-surface font-medium shadow-sm' : 'text-ink-soft hover:text-ink'}`
  return (
    <div role="group" aria-label="Show" className="flex h-9 items-center gap-1 rounded-md bg-hover p-1">
      <button type="button" aria-pressed={!trash} className={look(!trash)} onClick={() => onChange(false)}>
        Documents
      </button>
      <button type="button" aria-pressed={trash} className={look(trash)} onClick={() => onChange(true)}>
        Trash
      </button>
    </div>
  )
}
