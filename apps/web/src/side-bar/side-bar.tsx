import type { Me, Folder } from '@copydesk/protocol'
import { FilePlus2, Files, type LucideIcon, Star, Trash2, Users, X, FolderPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, usePath, useSearch } from '../common/location.tsx'
import { listPath } from '../documents/data/list-address.ts'
import { useCreateDocument } from '../documents/data/use-documents.ts'
import { useFolderDrop } from '../documents/folders/use-move.ts'
import { t } from '../i18n/translate.ts'
import { IconButton, Button } from '../ui/button.tsx'
import { describeError } from '../api/client.ts'
import { useFolders } from '../api/folders.ts'
import { openDialog } from '../documents/folders/dialogs.ts'
import { FolderTreeView } from './folder-tree-view.tsx'

type SideBarProps = {
  me: Me
  place: 'list' | 'document'
  /** Closes the sheet that contains the side bar. */
  onClose?: () => void
  /** Calls back after another page was chosen. */
  onGo?: () => void
}

/** The navigation to documents: all, those with a star, shared ones, folders, and the trash. */
export function SideBar({ me, place, onClose, onGo }: SideBarProps) {
  const create = useCreateDocument()
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-14 shrink-0 items-center gap-1 ps-3 pe-2">
        <Link to="/" onClick={onGo} className="flex min-w-0 flex-1 items-center gap-1.5 rounded-md py-1 font-semibold">
          <img src="/icon.svg" alt="" width={24} height={24} />
          Copydesk
        </Link>
        {place === 'document' && !me.guest && (
          <IconButton
            label={t('New document')}
            disabled={create.isPending}
            onClick={() => create.mutate({}, { onSuccess: onGo })}
            icon={FilePlus2}
          />
        )}
        {onClose && <IconButton label={t('Close')} onClick={onClose} icon={X} />}
      </div>
      <nav aria-label={t('Lists')} className="shrink-0 px-2">
        <AllDocuments onGo={onGo} />
        <View to={listPath({ starred: true })} icon={Star} onGo={onGo}>
          {t('Starred')}
        </View>
        {me.auth === 'accounts' && (
          <View to={listPath({ owner: 'others' })} icon={Users} onGo={onGo}>
            {t('Shared with me')}
          </View>
        )}
        <View to={listPath({ trash: true })} icon={Trash2} onGo={onGo}>
          {t('Trash')}
        </View>
      </nav>
      <FolderSection me={me} onGo={onGo} />
    </div>
  )
}

type ViewProps = {
  to: string
  icon: LucideIcon
  onGo: (() => void) | undefined
  isTarget?: boolean
  children: ReactNode
}

function View({ to, icon: Icon, onGo, isTarget = false, children }: ViewProps) {
  const isCurrent = usePath() + useSearch() === to
  return (
    <Link
      to={to}
      onClick={onGo}
      aria-current={isCurrent ? 'page' : undefined}
      className={`flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-strong pointer-coarse:h-10 ${isTarget ? 'bg-accent-soft outline-2 outline-accent' : ''}`}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="truncate">{children}</span>
    </Link>
  )
}

/** The link to the list of all documents; an item dropped here is moved out of its folder. */
function AllDocuments({ onGo }: Pick<ViewProps, 'onGo'>) {
  const { isOver, target } = useFolderDrop(null)
  return (
    <div {...target}>
      <View to="/" icon={Files} onGo={onGo} isTarget={isOver}>
        {t('All documents')}
      </View>
    </div>
  )
}

type FolderSectionProps = { me: Me; onGo: (() => void) | undefined }

/** The tree of folders under its heading, with a button for a new folder. */
function FolderSection({ me, onGo }: FolderSectionProps) {
  const { data: folders, error, isPending, fetchStatus, refetch } = useFolders()
  const isOffline = isPending && fetchStatus === 'paused'
  return (
    <section aria-labelledby="folders-heading" className="mt-3 flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center justify-between ps-4 pe-2">
        <h2 id="folders-heading" className="text-xs font-semibold text-ink-soft">
          {t('Folders')}
        </h2>
        {!me.guest && (
          <IconButton
            label={t('New folder')}
            onClick={() => openDialog({ kind: 'new-folder', parent: null })}
            icon={FolderPlus}
            size={16}
          />
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {folders && <Folders me={me} folders={folders} onGo={onGo} />}
        {!folders && isOffline && <Note>{t('You are offline. Folders appear when you are back.')}</Note>}
        {!folders && error && (
          <div role="alert" className="px-2 text-sm text-danger">
            <p>{describeError(error)}</p>
            <Button size="small" className="mt-2" onClick={() => void refetch()}>
              {t('Try again')}
            </Button>
          </div>
        )}
        {!folders && !error && !isOffline && <TreeSkeleton />}
      </div>
    </section>
  )
}

function Folders({ me, folders, onGo }: FolderSectionProps & { folders: readonly Folder[] }) {
  if (folders.length > 0) return <FolderTreeView me={me} folders={folders} onGo={onGo} />
  if (me.guest) return <Note>{t('No folder is shared with you.')}</Note>
  return <Note>{t('Folders keep documents together, and are shared with everything in them.')}</Note>
}

function Note({ children }: { children: string }) {
  return <p className="px-2 py-1 text-sm text-ink-faint">{children}</p>
}

function TreeSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label={t('Loading folders')} className="flex flex-col gap-3 px-2 py-2">
      {[70, 52, 61].map((width) => (
        <div key={width} className="skeleton h-4" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
