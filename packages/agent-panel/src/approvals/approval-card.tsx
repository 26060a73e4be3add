import { useEffect, useId, useRef, useState } from 'react'
import { Actions } from '../common/action-button.tsx'
import { ApprovalCall } from './approval-call.tsx'
import { approve, type Decide, rejection } from './decisions.ts'
import type { Drafts } from '../common/drafts.ts'
import { Icon } from '../common/icons.tsx'
import { useTexts } from '../language/panel-language.tsx'
import { focusAction, RejectForm } from './reject-form.tsx'
import type { ChatStep } from '../common/types.ts'
import { type Blocked, useBlocked } from './use-blocked.ts'
import { useFocusFallback } from '../common/use-focus-fallback.ts'

type ApprovalCardProps = {
  steps: readonly ChatStep[]
  agentName: string
  drafts: Drafts
  decide: Decide
  disabledReason?: string | undefined
}

/** All changes that one answer of the agent proposes, with the buttons to approve, edit or reject them. */
export function ApprovalCard({ steps, agentName, drafts, decide, disabledReason }: ApprovalCardProps) {
  const title = useId()
  const texts = useTexts()
  const card = useRef<HTMLElement>(null)
  useFocusFallback(card)
  const blocked = useBlocked()
  const isOnly = steps.length === 1
  return (
    <section ref={card} aria-labelledby={title} className="ap-approval">
      <p className="ap-approval-title">
        <Icon name="hand" size={15} />
        <span id={title}>
          <span className="ap-hidden">{texts.waitingForApproval} </span>
          {steps.some(({ tool = '' }) => /^search_|_page$|__/.test(tool))
            ? texts.asksFirst(agentName)
            : texts.wantsChanges(agentName, steps.length)}
        </span>
      </p>
      <ul aria-label={texts.proposedChanges} className="ap-approval-calls">
        {steps.map((step) => (
          <ApprovalCall key={step.id} step={step} isOnly={isOnly} {...{ blocked, drafts, decide, disabledReason }} />
        ))}
      </ul>
      {!isOnly && (
        <div className="ap-decide-all">
          <DecideAll {...{ steps, blocked, drafts, decide, disabledReason }} />
        </div>
      )}
      {isOnly && disabledReason !== undefined && <p className="ap-reason">{disabledReason}</p>}
    </section>
  )
}

type DecideAllProps = Omit<ApprovalCardProps, 'agentName'> & { blocked: Blocked }

function DecideAll({ steps, blocked, drafts, decide, disabledReason }: DecideAllProps) {
  const texts = useTexts()
  const [isRejecting, setRejecting] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const wasRejecting = useRef(false)
  useEffect(() => {
    if (wasRejecting.current && !isRejecting) focusAction(place.current, 'reject')
    wasRejecting.current = isRejecting
  }, [isRejecting])
  if (isRejecting) {
    return (
      <RejectForm
        draftKey={`reject ${steps.map(({ id }) => id).join(' ')}`}
        drafts={drafts}
        label={texts.rejectAll}
        onCancel={() => setRejecting(false)}
        onReject={(reason) => decide(steps.map(({ id }) => rejection(id, reason)))}
      />
    )
  }
  return (
    <div ref={place}>
      <Actions
        label={texts.decide}
        actions={[
          {
            id: 'approve',
            label: texts.approveAll,
            look: 'primary',
            disabledReason: disabledReason ?? steps.flatMap(({ id }) => blocked.reason(id) ?? [])[0],
            run: () => approve(steps, drafts, decide),
          },
          { id: 'reject', label: texts.rejectAll, disabledReason, run: () => setRejecting(true) },
        ]}
      />
    </div>
  )
}
