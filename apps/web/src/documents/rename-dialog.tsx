import type { DocumentSummary } from '@copydesk/protocol'
import { type FormEvent, useState } from 'react'
import { describeError } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { useRenameDocument } from './use-documents.ts'

type RenameDialogProps = { document: DocumentSummary; opener: HTMLElement | null; onClose: () => void }

/**
 * Asks for a document's new title; stays open with the error if the server refuses it. Returns the focus to `opener`.
 */
export function RenameDialog({ document, opener, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(document.title)
  const rename = useRenameDocument()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() === document.title) return onClose()
    rename.mutate({ id: document.id, title: title.trim() }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Rename document" open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <form onSubmit={submit}>
        <Field
          label="Title"
          value={title}
          maxLength={300}
          dir="auto"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
          problem={rename.isError ? describeError(rename.error) : undefined}
        />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={rename.isPending || title.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
