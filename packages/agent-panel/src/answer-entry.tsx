import { memo, useRef } from 'react'
import { Actions, ActionButton } from './action-button.tsx'
import { ApprovalCard } from './approval-card.tsx'
import type { Decide } from './decisions.ts'
import { ChatAvatar } from './chat-avatar.tsx'
import { CopyButton } from './copy-button.tsx'
import type { Drafts } from './drafts.ts'
import { Icon } from './icons.tsx'
import { MarkdownView } from './markdown-view.tsx'
import { type AnswerPart, answerParts } from './parts.ts'
import { PlanList } from './plan-list.tsx'
import { StepList } from './step-list.tsx'
import { TimeOfDay } from './time-of-day.tsx'
import { ActivityIcon } from './tool-icon.tsx'
import type { ChatMessage, ChatRun, ChatStep } from './types.ts'

type AnswerEntryProps = {
  message: ChatMessage & { run: ChatRun }
  steps: readonly ChatStep[]
  drafts: Drafts
  decide: Decide
  decideDisabledReason: string | undefined
}

/**
 * An answer of the agent: the asking person if that isn't the author of the message above, its text and steps in order,
 * its status, and its actions.
 */
export const AnswerEntry = memo(function AnswerEntry(props: AnswerEntryProps) {
  const { message, steps } = props
  const { run, asked, author } = message
  const isGoing = run.tone === 'going'
  const entry = useRef<HTMLLIElement>(null)
  return (
    <li ref={entry} data-run={message.id} data-tone={run.tone} tabIndex={-1} className="ap-run">
      {asked && (
        <p dir="auto" className="ap-asked">
          <strong>
            <bdi>{asked.by}</bdi>
          </strong>{' '}
          {asked.how}: <bdi>{asked.text}</bdi>
        </p>
      )}
      <div className="ap-head">
        <ChatAvatar author={author} />
        <span className="ap-name">{author.name}</span>
        {message.at !== undefined && <TimeOfDay iso={message.at} />}
        {!isGoing && <span className={`ap-state ap-state-${run.tone}`}>{run.label}</span>}
        {!isGoing && message.text !== '' && <CopyButton text={message.text} shown={entry} />}
      </div>
      <div className="ap-run-body">
        {run.plan && <PlanList items={run.plan} />}
        {answerParts(message, steps).map((part) => (
          <Part key={part.key} part={part} isGoing={isGoing} {...props} />
        ))}
        {run.notice !== undefined && <p className="ap-soft">{run.notice}</p>}
        {run.problem !== undefined && (
          <p className="ap-problem">
            <Icon name="alert" size={16} />
            <span>{run.problem}</span>
          </p>
        )}
        {isGoing && <GoingLine run={run} steps={steps} />}
        <Actions label="This answer" actions={run.actions ?? []} />
        {run.figures !== undefined && <p className="ap-figures">{run.figures}</p>}
      </div>
    </li>
  )
}, isSame)

function Part({
  part,
  isGoing,
  message,
  drafts,
  decide,
  decideDisabledReason,
}: AnswerEntryProps & { part: AnswerPart; isGoing: boolean }) {
  switch (part.kind) {
    case 'said':
      return <MarkdownView text={part.text} />
    case 'steps':
      return <StepList steps={part.steps} isGoing={isGoing} drafts={drafts} />
    case 'approval':
      return (
        <ApprovalCard
          steps={part.steps}
          agentName={message.author.name}
          drafts={drafts}
          decide={decide}
          disabledReason={decideDisabledReason}
        />
      )
  }
}

function GoingLine({ run, steps }: { run: ChatRun; steps: readonly ChatStep[] }) {
  const isWaiting = steps.some(({ status }) => status === 'waiting')
  const going = steps.findLast(({ status }) => status === 'running')
  return (
    <div className="ap-going">
      <ActivityIcon tool={going?.tool} isWaiting={isWaiting} />
      <span className="ap-going-text">
        <bdi>{run.label}</bdi>
        {run.detail !== undefined && <span className="ap-faint"> · {run.detail}</span>}
      </span>
      {run.stop && <ActionButton action={run.stop} />}
    </div>
  )
}

// The lists are recreated whenever anything in the conversation changes; their elements keep their identity.
function isSame(before: AnswerEntryProps, after: AnswerEntryProps): boolean {
  const isSameList =
    before.steps.length === after.steps.length && before.steps.every((step, at) => step === after.steps[at])
  return (
    isSameList &&
    before.message === after.message &&
    before.drafts === after.drafts &&
    before.decide === after.decide &&
    before.decideDisabledReason === after.decideDisabledReason
  )
}
