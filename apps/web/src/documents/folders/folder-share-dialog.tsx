import type { Folder } from '@copydesk/protocol'
import { useFolders } from '../../api/folders.ts'
import { t } from '../../i18n/translate.ts'
import { AddPeople } from '../../sharing/add-people.tsx'
import { FolderInheritance } from '../../sharing/inheritance.tsx'
import { MemberRows } from '../../sharing/member-rows.tsx'
import { mayShare } from '../../sharing/share-rights.ts'
import { Dialog } from '../../ui/dialog.tsx'

type FolderShareDialogProps = { folder: Folder; self: string; opener: HTMLElement | null; onClose: () => void }

/** The people of a folder and their roles, which apply to all its content. */
export function FolderShareDialog({ folder: given, self, opener, onClose }: FolderShareDialogProps) {
  const { data: folders } = useFolders()
  const folder = folders?.find(({ id }) => id === given.id) ?? given
  const { id, name, access } = folder
  const shared = { kind: 'folder', id } as const
  const shares = mayShare(access, true)
  return (
    <Dialog title={t('Share the folder “{name}”', { name })} wide onClose={onClose} returnFocusTo={opener}>
      <div className="flex flex-col gap-5">
        {shares && <AddPeople shared={shared} access={access} />}
        <section aria-label={t('People')} className="flex flex-col gap-1">
          <h3 className="text-sm font-medium">{t('People with access')}</h3>
          <p className="text-xs text-ink-soft">
            {t('Their roles apply to all folders and documents in this one, too.')}
          </p>
          <MemberRows {...{ shared, access, self, shares }} />
        </section>
        <FolderInheritance folder={folder} />
      </div>
    </Dialog>
  )
}
