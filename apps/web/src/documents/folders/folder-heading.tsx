import type { Me } from '@copydesk/protocol'
import { UserPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFolders } from '../../api/folders.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { ActionMenu } from '../../ui/menus/action-menu.tsx'
import { listPath } from '../data/list-address.ts'
import { openDialog } from './dialogs.ts'
import { FolderMenuItems } from './folder-menu-items.tsx'
import { pathTo } from '../data/folder-tree.ts'
import { mayWrite } from '../../common/roles.ts'
import { Crumb } from './folder-links.tsx'

/** The name of the shown folder, below the path to it, with its menu. */
export function FolderHeading({ id, me }: { id: string; me: Me }) {
  const { data: folders } = useFolders()
  const path = pathTo(folders ?? [], id)
  const folder = path.at(-1)
  const button = useRef<HTMLButtonElement>(null)
  const name = folder?.name
  useEffect(() => {
    if (name !== undefined) document.title = `${name} – Copydesk`
  }, [name])
  if (!folder) {
    if (!folders) return <div className="skeleton h-7 w-48" />
    return (
      <h1 className="text-2xl font-semibold tracking-tight">
        {t('This folder doesn’t exist or isn’t shared with you')}
      </h1>
    )
  }
  return (
    <div className="min-w-0">
      <nav aria-label={t('Way to this folder')}>
        <ol className="flex flex-wrap items-center gap-x-1 text-sm text-ink-soft">
          <Crumb to="/" name={t('All documents')} />
          {path.slice(0, -1).map((each) => (
            <Crumb key={each.id} to={listPath({ folder: each.id })} name={each.name} />
          ))}
        </ol>
      </nav>
      <div className="flex items-center gap-1.5">
        <h1 dir="auto" className="min-w-0 truncate text-2xl font-semibold tracking-tight">
          {folder.name}
        </h1>
        {mayWrite(folder) && (
          <ActionMenu label={t('Folder menu')} button={button}>
            <FolderMenuItems folder={folder} me={me} opener={() => button.current} />
          </ActionMenu>
        )}
        {me.auth === 'accounts' && mayWrite(folder) && (
          <Button className="max-sm:w-10 max-sm:px-0" onClick={() => openDialog({ kind: 'share-folder', folder })}>
            <UserPlus size={16} aria-hidden />
            <span className="max-sm:sr-only">{t('Share')}</span>
          </Button>
        )}
      </div>
    </div>
  )
}
