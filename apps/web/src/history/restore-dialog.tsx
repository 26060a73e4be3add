import type { Version } from '@copydesk/protocol'
import { describeError } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useRestoring } from './use-versions.ts'

type RestoreDialogProps = {
  document: string
  version: Version
  /** The version's name, or its time. */
  title: string
  opener: HTMLElement | null
  onClose: () => void
  onRestored: (made: Version) => void
}

/** Asks for confirmation before a version is restored, and says that nothing is lost. */
export function RestoreDialog({ document, version, title, opener, onClose, onRestored }: RestoreDialogProps) {
  const restoring = useRestoring(document)
  return (
    <Dialog title="Restore this version?" open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <p className="text-sm text-ink-soft">
        The text becomes what it was: <bdi className="font-medium text-ink">{title}</bdi>. Nothing is lost: the text as
        it is now stays in the history, and can be restored in the same way.
      </p>
      {restoring.isError && (
        <p role="alert" className="mt-3 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger">
          {describeError(restoring.error)}
        </p>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={restoring.isPending}
          onClick={() => restoring.mutate(version.id, { onSuccess: onRestored })}
        >
          Restore
        </Button>
      </div>
    </Dialog>
  )
}
