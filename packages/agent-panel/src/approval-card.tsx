import { useId, useState } from 'react'
import { Actions } from './action-button.tsx'
import { ApprovalCall } from './approval-call.tsx'
import { approve, type Decide, rejection } from './decisions.ts'
import type { Drafts } from './drafts.ts'
import { Icon } from './icons.tsx'
import { RejectForm } from './reject-form.tsx'
import type { ChatStep } from './types.ts'

type ApprovalCardProps = {
  steps: readonly ChatStep[]
  agentName: string
  drafts: Drafts
  decide: Decide
  disabledReason?: string | undefined
}

/** Everything that one answer of the agent wants to change, with what it would be, and the buttons to approve, mend or reject it. */
export function ApprovalCard({ steps, agentName, drafts, decide, disabledReason }: ApprovalCardProps) {
  const [isRejecting, setRejecting] = useState(false)
  const title = useId()
  const only = steps.length === 1 ? steps[0] : undefined
  const what = only ? 'a change' : `${steps.length} changes`
  return (
    <section aria-labelledby={title} className="ap-approval">
      <p className="ap-approval-title">
        <Icon name="hand" size={15} />
        <span id={title}>
          <span className="ap-hidden">Waiting for approval: </span>
          {agentName} wants to make {what}
        </span>
      </p>
      <ul aria-label="Proposed changes" className="ap-approval-calls">
        {steps.map((step) => (
          <ApprovalCall key={step.id} step={step} isOnly={only !== undefined} {...{ drafts, decide, disabledReason }} />
        ))}
      </ul>
      {isRejecting ? (
        <RejectForm
          draftKey={`reject ${steps.map(({ id }) => id).join(' ')}`}
          drafts={drafts}
          label={only ? 'Reject' : 'Reject all'}
          onCancel={() => setRejecting(false)}
          onReject={(reason) => decide(steps.map(({ id }) => rejection(id, reason)))}
        />
      ) : (
        <Actions
          label="Decide"
          actions={[
            {
              id: 'approve',
              label: only ? 'Approve' : 'Approve all',
              icon: 'check',
              look: 'primary',
              disabledReason,
              run: () => approve(steps, drafts, decide),
            },
            {
              id: 'reject',
              label: only ? 'Reject' : 'Reject all',
              icon: 'close',
              disabledReason,
              run: () => setRejecting(true),
            },
          ]}
        />
      )}
    </section>
  )
}
