import type { DocumentSummary } from '@copydesk/protocol'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { mayManage } from '../common/roles.ts'
import { Button } from '../ui/button.tsx'
import { useFocusNextRow } from '../ui/use-focus-next-row.ts'
import { openDialog } from './folders/dialogs.ts'
import { useRestoreDocument } from './use-documents.ts'

/** Deletes everything in the trash that the user owns, after a question. */
export function TrashActions() {
  return (
    <Button look="danger" onClick={() => openDialog({ kind: 'empty-trash' })}>
      <Trash2 size={16} aria-hidden />
      Empty trash
    </Button>
  )
}

/** What a user may do with a document in the trash. */
export function TrashedActions({ document }: { document: DocumentSummary }) {
  const restore = useRestoreDocument()
  const button = useRef<HTMLButtonElement>(null)
  useFocusNextRow(button)
  if (!mayManage(document)) return null
  const name = document.title || 'Untitled'
  // A disabled button would lose the focus immediately.
  const mayPress = !restore.isPending
  return (
    <span className="flex gap-1">
      <Button
        ref={button}
        size="small"
        aria-label={`Restore ${name}`}
        aria-disabled={!mayPress}
        onClick={() => mayPress && restore.mutate(document.id)}
      >
        <RotateCcw size={14} aria-hidden />
        <span className="max-sm:sr-only">Restore</span>
      </Button>
      <Button
        look="danger"
        size="small"
        aria-label={`Delete ${name} for good`}
        onClick={() => openDialog({ kind: 'delete-document', document })}
      >
        <Trash2 size={14} aria-hidden />
        <span className="max-sm:sr-only">Delete</span>
      </Button>
    </span>
  )
}
