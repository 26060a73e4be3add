import type { DocumentSummary, Me } from '@copydesk/protocol'
import { CopyPlus, FolderInput, Link2, PenLine, Star, StarOff, Trash2 } from 'lucide-react'
import { documentPath } from '../../common/location.tsx'
import { mayEdit, mayManage } from '../../common/roles.ts'
import { t } from '../../i18n/translate.ts'
import { copyLink } from '../../ui/toasts/copying.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu.tsx'
import { documentItem, type LibraryDialog, openDialog } from '../folders/dialogs.ts'
import { useDuplicateDocument, useStarDocument, useTrashDocument } from '../data/use-documents.ts'

type DocumentMenuItemsProps = {
  document: DocumentSummary
  me: Me
  /** The element that gets the focus back from dialogs. */
  opener: () => Element | null
}

/** What a user may do with a document in a list, as items of a menu. */
export function DocumentMenuItems({ document, me, opener }: DocumentMenuItemsProps) {
  const trash = useTrashDocument()
  const star = useStarDocument()
  const duplicate = useDuplicateDocument()
  const { id, starred } = document
  const open = (dialog: LibraryDialog) => () => openDialog(dialog, opener())
  return (
    <>
      <MenuItem icon={<Link2 size={16} />} onSelect={() => void copyLink(documentPath(id))}>
        {t('Copy link')}
      </MenuItem>
      {mayEdit(document.role) && (
        <MenuItem icon={<PenLine size={16} />} onSelect={open({ kind: 'rename', item: documentItem(document) })} opens>
          {t('Rename…')}
        </MenuItem>
      )}
      <MenuItem
        icon={starred ? <StarOff size={16} /> : <Star size={16} />}
        onSelect={() => star.mutate({ id, starred: !starred })}
      >
        {starred ? t('Remove star') : t('Star')}
      </MenuItem>
      {!me.guest && (
        <MenuItem icon={<CopyPlus size={16} />} onSelect={() => duplicate.mutate(id)}>
          {t('Make a copy')}
        </MenuItem>
      )}
      {!me.guest && mayManage(document) && (
        <MenuItem
          icon={<FolderInput size={16} />}
          onSelect={open({ kind: 'move', item: documentItem(document) })}
          opens
        >
          {t('Move to…')}
        </MenuItem>
      )}
      {mayManage(document) && (
        <>
          <MenuLine />
          <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => trash.mutate(id)}>
            {t('Move to trash')}
          </MenuItem>
        </>
      )}
    </>
  )
}
