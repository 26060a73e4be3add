import { memo, useRef } from 'react'
import { Actions } from '../common/action-button.tsx'
import type { Decide } from '../approvals/decisions.ts'
import { ChatAvatar } from './chat-avatar.tsx'
import { CopyAnswer } from './copy-answer.tsx'
import type { Drafts } from '../common/drafts.ts'
import { Icon } from '../common/icons.tsx'
import { UnsavedEdit } from './unsaved-edit.tsx'
import { lazyComponent } from '../common/lazy-component.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'
import { answerParts, foldParts } from '../steps/parts.ts'
import { useTexts } from '../language/panel-language.tsx'
import { PlanList } from '../steps/plan-list.tsx'
import { StepTitles } from '../steps/step-titles.tsx'
import { TimeOfDay } from '../common/time-of-day.tsx'
import { WorkLine } from '../steps/work-line.tsx'
import type { ChatMessage, ChatRun, ChatStep } from '../common/types.ts'

// Loaded late: most answers need no approval.
const ApprovalCard = lazyComponent(
  async () => (await import('../approvals/approval-card.tsx')).ApprovalCard,
  StepTitles,
)

type AnswerEntryProps = {
  message: ChatMessage & { run: ChatRun }
  steps: readonly ChatStep[]
  drafts: Drafts
  decide: Decide
  decideDisabledReason: string | undefined
}

/**
 * An answer of the agent: the asking person if that isn't the author of the message above, its text, the steps that
 * wait for approval, one line for its work, and its actions.
 */
export const AnswerEntry = memo(function AnswerEntry(props: AnswerEntryProps) {
  const { message, steps, drafts, decide, decideDisabledReason } = props
  const { run, asked, author } = message
  const texts = useTexts()
  const isGoing = run.tone === 'going'
  const { answer, approvals, work } = foldParts(answerParts(message, steps))
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
        {!isGoing && (
          <span className={`ap-state ap-state-${run.tone}`} title={run.figures}>
            {run.label}
          </span>
        )}
        {!isGoing && answer !== '' && <CopyAnswer text={answer} shown={entry} />}
      </div>
      <div className="ap-run-body">
        {isGoing && run.plan && <PlanList items={run.plan} />}
        {answer !== '' && <MarkdownView text={answer} />}
        {approvals.map((part) => (
          <ApprovalCard
            key={part.key}
            steps={part.steps}
            agentName={author.name}
            drafts={drafts}
            decide={decide}
            disabledReason={decideDisabledReason}
          />
        ))}
        {steps.map((step) => step.status !== 'waiting' && <UnsavedEdit key={step.id} step={step} drafts={drafts} />)}
        {run.notice !== undefined && <p className="ap-soft">{run.notice}</p>}
        {run.problem !== undefined && (
          <p className="ap-problem">
            <Icon name="alert" size={16} />
            <span>{run.problem}</span>
          </p>
        )}
        <WorkLine run={run} steps={steps} work={work} />
        <Actions label={texts.thisAnswer} actions={run.actions ?? []} />
      </div>
    </li>
  )
}, isSame)

// The lists are recreated whenever the conversation changes; their elements keep their identity.
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
