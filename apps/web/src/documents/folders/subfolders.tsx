import type { Folder, Me } from '@copydesk/protocol'
import { Folder as FolderIcon, Users } from 'lucide-react'
import { useFolders } from '../../api/folders.ts'
import { Link } from '../../common/location.tsx'
import { t } from '../../i18n/translate.ts'
import { listPath } from '../data/list-address.ts'
import { folderItem } from './dialogs.ts'
import { draggable } from './dragging.ts'
import { treeOf } from '../data/folder-tree.ts'
import { useFolderDrop } from './use-move.ts'

export function Subfolders({ id, me }: { id: string; me: Me }) {
  const { data: folders = [] } = useFolders()
  const inner = treeOf(folders).get(id) ?? []
  if (inner.length === 0) return null
  return (
    <ul aria-label={t('Folders')} className="mb-4 grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-2">
      {inner.map((folder) => (
        <FolderCard key={folder.id} folder={folder} me={me} />
      ))}
    </ul>
  )
}

function FolderCard({ folder, me }: { folder: Folder; me: Me }) {
  const { isOver, target } = useFolderDrop(folder)
  const look = isOver ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-sunken'
  return (
    <li
      className={`relative flex h-11 items-center gap-2.5 rounded-lg border px-3 ${look}`}
      {...target}
      {...(me.guest || folder.access !== 'manage' ? {} : draggable(folderItem(folder)))}
    >
      <FolderIcon size={17} aria-hidden className="shrink-0 text-ink-faint" />
      <Link
        to={listPath({ folder: folder.id })}
        draggable={false}
        dir="auto"
        className="min-w-0 flex-1 truncate text-start text-sm font-medium after:absolute after:inset-0 after:rounded-lg"
      >
        {folder.name}
      </Link>
      {folder.shared && me.auth === 'accounts' && (
        <>
          <Users size={14} aria-hidden className="shrink-0 text-ink-faint" />
          <span className="sr-only">, {t('shared')}</span>
        </>
      )}
    </li>
  )
}
