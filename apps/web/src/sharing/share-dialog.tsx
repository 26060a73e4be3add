import type { Access } from '@copydesk/protocol'
import type { RoomStore } from '../collaboration/room-store.ts'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/dialog.tsx'
import { AddPeople } from './add-people.tsx'
import { EditorsShareSwitch, OnlyOwnersShare, useEditorsShare } from './editors-share.tsx'
import { DocumentInheritance } from './inheritance.tsx'
import { LinkRows } from './link-rows.tsx'
import { MemberRows } from './member-rows.tsx'
import { mayShare } from './share-rights.ts'

type ShareDialogProps = {
  document: string
  room: RoomStore
  title: string
  access: Access
  self: string
  opener: HTMLElement | null
  onClose: () => void
}

/** The members of the document and their roles; adding people, and links for people without an account. */
export function ShareDialog({ document, room, title, access, self, opener, onClose }: ShareDialogProps) {
  const editorsShare = useEditorsShare(document, room)
  const shares = mayShare(access, editorsShare)
  const shared = { kind: 'document', id: document } as const
  return (
    <Dialog
      title={t('Share “{title}”', { title: title || t('Untitled') })}
      wide
      onClose={onClose}
      returnFocusTo={opener}
    >
      <div className="flex flex-col gap-5">
        {shares ? <AddPeople shared={shared} access={access} /> : <OnlyOwnersShare />}
        <section aria-label={t('People')} className="flex flex-col gap-1">
          <h3 className="text-sm font-medium">{t('People with access')}</h3>
          <MemberRows {...{ shared, access, self, shares }} />
        </section>
        <DocumentInheritance document={document} access={access} />
        <LinkRows {...{ document, access, self, shares }} />
        {access === 'manage' && <EditorsShareSwitch {...{ document, editorsShare }} />}
      </div>
    </Dialog>
  )
}
