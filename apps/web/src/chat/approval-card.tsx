import type { DecideCall, Step } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { Check, Hand, Pencil, X } from 'lucide-react'
import { useId, useState } from 'react'
import { decideCall } from '../api/runs.ts'
import { useDraft } from '../app/drafts.ts'
import { showError } from '../app/toasts.tsx'
import { Button } from '../ui/button.tsx'
import { inputClass } from '../ui/field.tsx'
import { editableArgument, editedArguments } from './approval.ts'
import { TextPairView } from './text-pairs.tsx'

type ApprovalCardProps = { step: Step; run: string; document: string; canEdit: boolean }

type Doing = 'looking' | 'editing' | 'rejecting'

/** A call that waits for a person's word: what it would change, and the buttons to approve, mend or reject it. */
export function ApprovalCard({ step, run, document, canEdit }: ApprovalCardProps) {
  const [doing, setDoing] = useState<Doing>('looking')
  const editable = editableArgument(step)
  const decide = useMutation({
    mutationFn: (decision: DecideCall) => decideCall(document, run, step.id, decision),
    onError: showError,
  })
  // The card goes once the room has heard of the decision.
  const isDecided = decide.isPending || decide.isSuccess
  return (
    <section aria-label="Waiting for approval" className="rounded-lg border border-warn/40 bg-warn-soft/50 p-3">
      <p className="flex items-start gap-2 text-sm font-medium">
        <Hand size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        <span dir="auto" className="min-w-0 break-words">
          {step.summary || step.tool.replaceAll('_', ' ')}
        </span>
      </p>
      {step.proposal && doing !== 'editing' && <Proposal pairs={step.proposal} />}
      {canEdit && doing === 'looking' && (
        <Choices
          disabled={isDecided}
          onApprove={() => decide.mutate({ decision: 'approve' })}
          {...(editable ? { onEdit: () => setDoing('editing') } : {})}
          onReject={() => setDoing('rejecting')}
        />
      )}
      {doing === 'editing' && editable && (
        <EditForm
          start={editable.text}
          draft={`approval ${run} ${step.id}`}
          disabled={isDecided}
          onCancel={() => setDoing('looking')}
          onApprove={(text) => {
            const edited = editedArguments(step, text)
            decide.mutate({ decision: 'approve', ...(edited ? { arguments: edited } : {}) })
          }}
        />
      )}
      {doing === 'rejecting' && (
        <RejectForm
          draft={`rejection ${run} ${step.id}`}
          disabled={isDecided}
          onCancel={() => setDoing('looking')}
          onReject={(reason) => decide.mutate({ decision: 'reject', ...(reason ? { reason } : {}) })}
        />
      )}
    </section>
  )
}

type ChoicesProps = { disabled: boolean; onApprove: () => void; onEdit?: () => void; onReject: () => void }

function Choices({ disabled, onApprove, onEdit, onReject }: ChoicesProps) {
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      <Button size="small" look="primary" disabled={disabled} onClick={onApprove}>
        <Check size={13} aria-hidden />
        Approve
      </Button>
      {onEdit && (
        <Button size="small" disabled={disabled} onClick={onEdit}>
          <Pencil size={12} aria-hidden />
          Edit
        </Button>
      )}
      <Button size="small" disabled={disabled} onClick={onReject}>
        <X size={13} aria-hidden />
        Reject
      </Button>
    </div>
  )
}

function Proposal({ pairs }: { pairs: NonNullable<Step['proposal']> }) {
  return (
    <div
      className="mt-2 flex max-h-60 flex-col gap-2 overflow-y-auto"
      tabIndex={0}
      role="group"
      aria-label="Proposed change"
    >
      {pairs.map((pair, index) => (
        <TextPairView key={index} pair={pair} />
      ))}
    </div>
  )
}

type EditFormProps = {
  start: string
  draft: string
  disabled: boolean
  onCancel: () => void
  onApprove: (text: string) => void
}

function EditForm({ start, draft, disabled, onCancel, onApprove }: EditFormProps) {
  const [kept, setKept] = useDraft(draft)
  const [text, setText] = useState(kept || start)
  const id = useId()
  return (
    <div className="mt-2">
      <label htmlFor={id} className="text-xs text-ink-soft">
        Text that the agent may write
      </label>
      <textarea
        id={id}
        dir="auto"
        autoFocus
        rows={Math.min(10, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setKept(event.target.value)
        }}
        className="mt-1 w-full resize-y rounded-md border border-line-strong/70 bg-surface px-2.5 py-1.5 text-sm"
      />
      <div className="mt-2 flex gap-2">
        <Button size="small" look="primary" disabled={disabled} onClick={() => onApprove(text)}>
          Approve this text
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

type RejectFormProps = {
  draft: string
  disabled: boolean
  onCancel: () => void
  onReject: (reason: string) => void
}

function RejectForm({ draft, disabled, onCancel, onReject }: RejectFormProps) {
  const [reason, setReason] = useDraft(draft)
  const id = useId()
  return (
    <form
      className="mt-2"
      onSubmit={(event) => {
        event.preventDefault()
        onReject(reason.trim())
      }}
    >
      <label htmlFor={id} className="text-xs text-ink-soft">
        Reason, if you want to tell the agent
      </label>
      <input
        id={id}
        dir="auto"
        autoFocus
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        className={`mt-1 ${inputClass}`}
      />
      <div className="mt-2 flex gap-2">
        <Button size="small" look="danger" type="submit" disabled={disabled}>
          Reject
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
