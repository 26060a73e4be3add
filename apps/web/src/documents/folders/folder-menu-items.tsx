import type { Folder, Me } from '@copydesk/protocol'
import { FilePlus2, FolderInput, FolderPlus, PenLine, Trash2, UserPlus } from 'lucide-react'
import { t } from '../../i18n/translate.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu-parts.tsx'
import { useCreateDocument } from '../data/use-documents.ts'
import { folderItem, type LibraryDialog, openDialog } from './dialogs.ts'
import { mayManage, mayWrite } from '../../common/roles.ts'

type FolderMenuItemsProps = {
  folder: Folder
  me: Me
  /** The element that gets the focus back from dialogs. */
  opener: () => Element | null
}

/** The user's actions on a folder, as menu items. */
export function FolderMenuItems({ folder, me, opener }: FolderMenuItemsProps) {
  const create = useCreateDocument()
  const open = (dialog: LibraryDialog) => () => openDialog(dialog, opener())
  return (
    <>
      {mayWrite(folder) && (
        <>
          <MenuItem
            icon={FilePlus2}
            onSelect={() => create.mutate({ folder: folder.id })}
            text={t('New document in it')}
          />
          <MenuItem
            icon={FolderPlus}
            onSelect={open({ kind: 'new-folder', parent: folder })}
            opens
            text={t('New folder in it…')}
          />
          <MenuLine />
        </>
      )}
      {me.auth === 'accounts' && mayWrite(folder) && (
        <MenuItem icon={UserPlus} onSelect={open({ kind: 'share-folder', folder })} opens text={t('Share…')} />
      )}
      {mayWrite(folder) && (
        <MenuItem
          icon={PenLine}
          onSelect={open({ kind: 'rename', item: folderItem(folder) })}
          opens
          text={t('Rename…')}
        />
      )}
      {mayManage(folder) && (
        <>
          <MenuItem
            icon={FolderInput}
            onSelect={open({ kind: 'move', item: folderItem(folder) })}
            opens
            text={t('Move to…')}
          />
          <MenuLine />
          <MenuItem
            icon={Trash2}
            danger
            onSelect={open({ kind: 'trash-folder', folder })}
            opens
            text={t('Move to trash…')}
          />
        </>
      )}
    </>
  )
}
