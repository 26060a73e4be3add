import type { Me } from '@copydesk/protocol'
import { Command } from 'lucide-react'
import { Suspense, useEffect, useMemo } from 'react'
import { lazyPart, separatePart } from '../common/lazy-part.ts'
import { Link, usePath, useSearch } from '../common/location.tsx'
import { paletteShown } from '../common/commands/palette-additions.ts'
import { t } from '../i18n/translate.ts'
import { Bell } from '../notifications/bell.tsx'
import { Avatar } from '../ui/people/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { SideBarButton } from '../ui/side-bar-button.tsx'
import { ThemeToggle } from '../ui/theme.tsx'
import { DocumentList } from './document-list.tsx'
import { type ListAddress, readListAddress } from './data/list-address.ts'

const NewDocument = separatePart(async () => (await import('./new-document.tsx')).NewDocument)
const AccountMenu = lazyPart(async () => (await import('../account/account-menu.tsx')).AccountMenu)
const FolderHeading = lazyPart(async () => (await import('./folders/folder-heading.tsx')).FolderHeading)
const Subfolders = separatePart(async () => (await import('./folders/subfolders.tsx')).Subfolders)
const ListBar = separatePart(async () => (await import('./list-bar.tsx')).ListBar)
const EmptyTrash = separatePart(async () => (await import('./empty-trash.tsx')).EmptyTrash)

/** The list of documents for the address: all, those of a folder, or the trash. */
export function DocumentListPage({ me }: { me: Me }) {
  const path = usePath()
  const search = useSearch()
  const address = useMemo(() => readListAddress(path, search), [path, search])
  useEffect(() => {
    document.title = 'Copydesk'
  }, [])
  return (
    <div className="mx-auto flex min-h-full max-w-5xl flex-col px-4 pb-16 sm:px-6">
      <TopBar me={me} />
      <main className="flex-1">
        <div className="flex min-h-9 flex-wrap items-end justify-between gap-3 pt-4 pb-5">
          {address.folder === null ? (
            <h1 className="text-2xl leading-9 font-semibold tracking-tight pointer-coarse:leading-10">
              {headingOf(address)}
            </h1>
          ) : (
            <Suspense fallback={<div className="skeleton h-7 w-48" />}>
              <FolderHeading id={address.folder} me={me} />
            </Suspense>
          )}
          <div className="flex min-h-9 gap-2 pointer-coarse:min-h-10">
            {address.trash ? <EmptyTrash /> : !me.guest && <NewDocument folder={address.folder} />}
          </div>
        </div>
        <div className="mb-4 flex min-h-9 flex-wrap items-center gap-2 max-sm:min-h-22">
          <ListBar address={address} />
        </div>
        {address.folder !== null && address.query === '' && <Subfolders id={address.folder} me={me} />}
        <DocumentList address={address} me={me} />
      </main>
    </div>
  )
}

function headingOf({ trash, starred, owner }: ListAddress): string {
  if (trash) return t('Trash')
  if (starred) return t('Starred')
  return owner === 'others' ? t('Shared with me') : t('Documents')
}

function TopBar({ me }: { me: Me }) {
  return (
    <header className="flex h-14 items-center gap-2.5 max-sm:-ms-2.5 max-sm:gap-1">
      <SideBarButton place="list" />
      <Link to="/" className="flex items-center gap-2 rounded-md font-semibold min-[900px]:hidden">
        <img src="/icon.svg" alt="" width={26} height={26} />
        Copydesk
      </Link>
      <span className="flex-1" />
      <span className="hidden pointer-coarse:inline-flex">
        <IconButton label={t('Search and commands')} onClick={() => paletteShown.set(true)} icon={Command} size={18} />
      </span>
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
