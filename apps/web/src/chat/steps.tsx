import type { Step } from '@copydesk/protocol'
import { Check, CircleAlert, CircleDashed, Hand, LoaderCircle, type LucideIcon } from 'lucide-react'
import { describeApproval } from './approval.ts'
import { ApprovalCard } from './approval-card.tsx'
import { UndoButton } from './run-actions.tsx'

const looks: Record<Step['status'], { icon: LucideIcon; tone: string; word: string }> = {
  running: { icon: LoaderCircle, tone: 'text-agent', word: 'running' },
  ok: { icon: Check, tone: 'text-good', word: 'done' },
  error: { icon: CircleAlert, tone: 'text-danger', word: 'failed' },
  awaiting_approval: { icon: Hand, tone: 'text-warn', word: 'waiting for approval' },
  rejected: { icon: CircleDashed, tone: 'text-ink-faint', word: 'rejected' },
}

const shownAtOnce = 4

/** The run that the steps belong to, and whether the reader may decide on them. */
export type StepsContext = { run: string; document: string; canEdit: boolean }

type StepsProps = { steps: readonly Step[]; going: boolean; context: StepsContext }

/** What the agent did, a line each. Of many, the last ones show while it goes on; afterwards all stand folded away. */
export function Steps({ steps, going, context }: StepsProps) {
  if (steps.length === 0) return null
  if (steps.length <= shownAtOnce) return <StepList steps={steps} going={going} context={context} />
  const earlier = going ? steps.slice(0, -shownAtOnce) : steps
  // What waits for a word never stands in the folded list.
  const [waiting, hidden] = [earlier.filter(isWaiting), earlier.filter((step) => !isWaiting(step))]
  return (
    <div>
      <details>
        <summary className="w-fit rounded text-sm text-ink-soft hover:text-ink">
          {going ? `${hidden.length} earlier steps` : `${steps.length} steps`}
        </summary>
        <div className="mt-1.5">
          <StepList steps={hidden} going={going} context={context} />
        </div>
      </details>
      {waiting.length > 0 && <StepList steps={waiting} going={going} context={context} />}
      {going && (
        <div className="mt-1.5">
          <StepList steps={steps.slice(-shownAtOnce)} going={going} context={context} />
        </div>
      )}
    </div>
  )
}

function StepList({ steps, going, context }: StepsProps) {
  return (
    <ul aria-label="Steps" className="flex flex-col gap-1">
      {steps.map((step) => (
        <StepItem key={step.id} step={step} going={going} context={context} />
      ))}
    </ul>
  )
}

type StepItemProps = { step: Step; going: boolean; context: StepsContext }

function StepItem({ step, going, context }: StepItemProps) {
  const { icon: Icon, tone, word } = looks[step.status]
  const decided = describeApproval(step)
  const canUndo = context.canEdit && !going && step.changed === true
  return (
    <li className="text-sm text-ink-soft" data-tool={step.tool} data-step-status={step.status}>
      {isWaiting(step) ? (
        <ApprovalCard step={step} {...context} />
      ) : (
        <div className="flex items-start gap-2">
          <Icon
            size={14}
            aria-hidden
            className={`mt-[0.2rem] shrink-0 ${tone} ${step.status === 'running' ? 'spin' : ''}`}
          />
          <span dir="auto" className={`min-w-0 flex-1 break-words ${step.undone === true ? 'line-through' : ''}`}>
            {step.summary || step.tool.replaceAll('_', ' ')}
            <span className="sr-only">, {step.undone === true ? 'taken back' : word}</span>
          </span>
          {canUndo && (
            <UndoButton
              document={context.document}
              run={context.run}
              step={step.id}
              undone={step.undone === true}
              quiet
            />
          )}
        </div>
      )}
      {decided && (
        <p dir="auto" className="ms-5.5 text-xs break-words text-ink-faint">
          {decided}
        </p>
      )}
    </li>
  )
}

function isWaiting(step: Step): boolean {
  return step.status === 'awaiting_approval' && !step.approval
}
