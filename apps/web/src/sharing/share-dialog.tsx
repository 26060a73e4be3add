import type { Access } from '@copydesk/protocol'
import type { RoomStore } from '../collaboration/room-store.ts'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/dialog.tsx'
import { AddPeople } from './add-people.tsx'
import { DocumentInheritance } from './inheritance.tsx'
import { LinkRows } from './link-rows.tsx'
import { MemberRows } from './member-rows.tsx'
import { mayShare } from './share-rights.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { documentKey, useDocumentSummary } from '../api/documents.ts'
import { putSharing } from '../api/sharing.ts'
import { Switch } from '../ui/fields/switch.tsx'
import { showError } from '../ui/toasts/toasts.tsx'

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

/**
 * Whether editors may share this document. The room reports every change immediately; if it was never changed, the
 * summary has it.
 */
function useEditorsShare(document: string, room: RoomStore): boolean {
  const { data: summary } = useDocumentSummary(document)
  const told = useSyncExternalStore(room.subscribe, () => room.get().settings.editorsShare)
  return told ?? summary?.editorsShare ?? true
}

/** Lets owners choose whether editors may share the document. */
function EditorsShareSwitch({ document, editorsShare }: { document: string; editorsShare: boolean }) {
  const queryClient = useQueryClient()
  // Shows the choice immediately, until the room reports it or another owner's choice.
  const [chosen, setChosen] = useState<{ value: boolean; instead: boolean }>()
  const change = useMutation({
    mutationFn: (value: boolean) => putSharing(document, { editorsShare: value }),
    onError(error) {
      setChosen(undefined)
      showError(error)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: documentKey(document) }),
  })
  return (
    <Switch
      label={t('Editors may share')}
      text={t('They can add people and create links. Owners always can.')}
      checked={chosen?.instead === editorsShare ? chosen.value : editorsShare}
      onChange={(value) => {
        setChosen({ value, instead: editorsShare })
        change.mutate(value)
      }}
    />
  )
}

/** Tells editors why they can't share. */
function OnlyOwnersShare() {
  return (
    <p role="status" className="flex gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm text-ink-soft">
      <Lock size={15} aria-hidden className="mt-0.5 shrink-0" />
      {t('Only owners can share this document. Ask one of them to add people, or to let editors share.')}
    </p>
  )
}
