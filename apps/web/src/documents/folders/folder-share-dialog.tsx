import type { Folder } from '@copydesk/protocol'
import { Dialog } from '../../ui/dialog.tsx'

type FolderShareDialogProps = { folder: Folder; self: string; opener: HTMLElement | null; onClose: () => void }

/** The people of a folder. */
export function FolderShareDialog({ folder, opener, onClose }: FolderShareDialogProps) {
  return (
    <Dialog
      title={`Share “${folder.name}”`}
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={opener}
    >
      …
    </Dialog>
  )
}
