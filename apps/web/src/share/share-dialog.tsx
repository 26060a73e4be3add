import type { Access } from '@copydesk/protocol'
import { Dialog } from '../ui/dialog.tsx'
import { AddPeople } from './add-people.tsx'
import { LinkRows } from './link-rows.tsx'
import { MemberRows } from './member-rows.tsx'

type ShareDialogProps = {
  document: string
  title: string
  access: Access
  self: string
  opener: HTMLElement | null
  onClose: () => void
}

/** Who may open the document and what they may do there; adding people, and links for those who aren't known. */
export function ShareDialog({ document, title, access, self, opener, onClose }: ShareDialogProps) {
  return (
    <Dialog
      title={`Share “${title || 'Untitled'}”`}
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={opener}
    >
      <div className="flex flex-col gap-5">
        <AddPeople document={document} access={access} />
        <section aria-label="People" className="flex flex-col gap-1">
          <h3 className="text-sm font-medium">People with access</h3>
          <MemberRows {...{ document, access, self }} />
        </section>
        <LinkRows {...{ document, access, self }} />
      </div>
    </Dialog>
  )
}
