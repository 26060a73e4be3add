import type { FileProposal, Run, Step } from '@copydesk/protocol'
import { Maximize2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useFileProposal } from '../../api/runs.ts'
import { lazyPart } from '../../common/lazy-part.ts'
import { sentText, t } from '../../i18n/translate.ts'
import { type RunActions, stepKey } from '../runs/run-actions.ts'
import { FileDiff } from './file-diff.tsx'
import { FileTitle, StaleNotice } from './file-parts.tsx'
import { diffLines } from './line-diff.ts'

const FileDialog = lazyPart(async () => (await import('./file-dialog.tsx')).FileDialog)

type FileReviewProps = {
  run: Run
  step: Step
  /** The user's text that replaces the agent's; '' for the agent's own. */
  edited: string
  onEdit: (text: string) => void
  /** Gets why the change can't be approved, or undefined. */
  onBlocked?: ((reason: string | undefined) => void) | undefined
  runActions: Pick<RunActions, 'decide'>
}

/**
 * A proposed or decided change of a file in its card: the path, its purpose, the difference, and a larger view, in
 * which a proposed change can be edited.
 */
export function FileReview({ run, step, edited, onEdit, onBlocked, runActions }: FileReviewProps) {
  const { data: proposal, error } = useFileProposal(run.documentId, run.id, step)
  const isWaiting = step.status === 'awaiting_approval'
  const isStale = isWaiting && proposal?.isStale === true
  useEffect(() => {
    if (isWaiting) onBlocked?.(isStale ? t('The file has changed since this was proposed.') : undefined)
  }, [isWaiting, isStale, onBlocked])
  if (!proposal) {
    const problem = error instanceof ApiError ? (sentText(error.message) ?? error.message) : undefined
    return (
      <p role={problem === undefined ? undefined : 'status'} className="text-sm text-ink-soft">
        {problem ?? t('Loading…')}
      </p>
    )
  }
  const requestNewProposal = () => {
    const reason = t('The file has changed since. Read it again, and propose the change for what it is now.')
    void runActions.decide([{ step: stepKey(run.id, step.id), decision: 'reject', reason }]).catch(() => undefined)
  }
  return (
    <>
      <Loaded {...{ proposal, isWaiting, edited, onEdit, requestNewProposal }} />
      {isWaiting && run.steps.some(hasReadWeb) && (
        <p className="text-sm text-warn">
          {t('The agent has read pages of the web for this: check that it does what you asked for.')}
        </p>
      )}
    </>
  )
}

function hasReadWeb({ tool, status }: Step): boolean {
  return status === 'ok' && /^(?:search_web|read_web_page)$/.test(tool)
}

type LoadedProps = Pick<FileReviewProps, 'edited' | 'onEdit'> & {
  proposal: FileProposal
  isWaiting: boolean
  requestNewProposal: () => void
}

function Loaded({ proposal, isWaiting, edited, onEdit, requestNewProposal }: LoadedProps) {
  const [opener, setOpener] = useState<HTMLElement>()
  const { base = '', content, isStale } = proposal
  const after = edited === '' ? content : edited
  const lines = useMemo(() => diffLines(base, after), [base, after])
  return (
    <div className="flex flex-col gap-2" data-file={proposal.path}>
      <FileTitle proposal={proposal} lines={lines} />
      <p dir="auto" className="text-sm wrap-anywhere text-ink">
        {proposal.description}
      </p>
      {isWaiting && isStale && <StaleNotice proposal={proposal} requestNewProposal={requestNewProposal} />}
      <div className="flex max-h-60 flex-col">
        <FileDiff label={t('The proposed change')} lines={lines} />
      </div>
      <button
        type="button"
        className="ap-button ap-button-plain self-start"
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        <Maximize2 size={13} aria-hidden />
        {isWaiting ? t('View and edit the whole file') : t('View the whole file')}
      </button>
      {opener && (
        <FileDialog
          proposal={proposal}
          lines={lines}
          isWaiting={isWaiting}
          edited={edited}
          onEdit={onEdit}
          onClose={() => setOpener(undefined)}
          returnFocusTo={opener}
        />
      )}
    </div>
  )
}
