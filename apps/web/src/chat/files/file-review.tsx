import type { FileProposal, Run, Step } from '@copydesk/protocol'
import { Maximize2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useFileProposal } from '../../api/files.ts'
import { lazyPart } from '../../common/lazy-part.ts'
import { sentText, t } from '../../i18n/translate.ts'
import { FileDiff } from './file-diff.tsx'
import { FileTitle, StaleNotice } from './file-parts.tsx'

const FileDialog = lazyPart(async () => (await import('./file-dialog.tsx')).FileDialog)

type FileReviewProps = {
  run: Run
  step: Step
  /** The text that was written instead of the agent's; '' for the agent's own. */
  edited: string
  onEdit: (text: string) => void
}

/** A proposed change of a file in its card: the path, what it is for, the difference, and a larger view to edit it in. */
export function FileReview({ run, step, edited, onEdit }: FileReviewProps) {
  const { data: proposal, error } = useFileProposal(run.documentId, run.id, step.id)
  if (!proposal) {
    const problem = error instanceof ApiError ? (sentText(error.message) ?? error.message) : undefined
    return (
      <p role={problem === undefined ? undefined : 'status'} className="text-sm text-ink-soft">
        {problem ?? t('Loading…')}
      </p>
    )
  }
  return <Loaded proposal={proposal} edited={edited} onEdit={onEdit} />
}

type LoadedProps = Pick<FileReviewProps, 'edited' | 'onEdit'> & { proposal: FileProposal }

function Loaded({ proposal, edited, onEdit }: LoadedProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const { base = '', content, isStale } = proposal
  const after = edited === '' ? content : edited
  return (
    <div className="flex flex-col gap-2" data-file={proposal.path}>
      <FileTitle proposal={proposal} after={after} />
      <p dir="auto" className="text-sm wrap-anywhere text-ink">
        {proposal.description}
      </p>
      {isStale && <StaleNotice proposal={proposal} />}
      <div className="flex max-h-60 flex-col">
        <FileDiff label={t('The proposed change')} before={base} after={after} />
      </div>
      <button ref={opener} type="button" className="ap-button ap-button-plain self-start" onClick={() => setOpen(true)}>
        <Maximize2 size={13} aria-hidden />
        {t('View and edit the whole file')}
      </button>
      {isOpen && (
        <FileDialog
          proposal={proposal}
          edited={edited}
          onEdit={onEdit}
          onClose={() => setOpen(false)}
          returnFocusTo={opener.current}
        />
      )}
    </div>
  )
}
