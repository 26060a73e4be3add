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
      <MenuItem icon={Link2} onSelect={() => void copyLink(documentPath(id))} text={t('Copy link')} />
      {mayEdit(document.role) && (
        <MenuItem
          icon={PenLine}
          onSelect={open({ kind: 'rename', item: documentItem(document) })}
          opens
          text={t('Rename…')}
        />
      )}
      <MenuItem
        icon={starred ? StarOff : Star}
        onSelect={() => star.mutate({ id, starred: !starred })}
        text={starred ? t('Remove star') : t('Star')}
      />
      {!me.guest && <MenuItem icon={CopyPlus} onSelect={() => duplicate.mutate(id)} text={t('Make a copy')} />}
      {!me.guest && mayManage(document) && (
        <MenuItem
          icon={FolderInput}
          onSelect={open({ kind: 'move', item: documentItem(document) })}
          opens
          text={t('Move to…')}
        />
      )}
      {mayManage(document) && (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} danger onSelect={() => trash.mutate(id)} text={t('Move to trash')} />
        </>
      )}
    </>
  )
}
