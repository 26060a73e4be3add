import type { Step } from '@copydesk/protocol'
import { Check, CircleAlert, CircleDashed, Hand, LoaderCircle, type LucideIcon } from 'lucide-react'

const looks: Record<Step['status'], { icon: LucideIcon; tone: string; word: string }> = {
  running: { icon: LoaderCircle, tone: 'text-agent', word: 'running' },
  ok: { icon: Check, tone: 'text-good', word: 'done' },
  error: { icon: CircleAlert, tone: 'text-danger', word: 'failed' },
  awaiting_approval: { icon: Hand, tone: 'text-warn', word: 'waiting for approval' },
  rejected: { icon: CircleDashed, tone: 'text-ink-faint', word: 'rejected' },
}

const shownAtOnce = 4

type StepsProps = { steps: readonly Step[]; going: boolean }

/** What the agent did, a line each. Of many, the last ones show while it goes on; afterwards all stand folded away. */
export function Steps({ steps, going }: StepsProps) {
  if (steps.length === 0) return null
  if (steps.length <= shownAtOnce) return <StepList steps={steps} />
  const hidden = going ? steps.slice(0, -shownAtOnce) : steps
  return (
    <div>
      <details>
        <summary className="w-fit rounded text-sm text-ink-soft hover:text-ink">
          {going ? `${hidden.length} earlier steps` : `${steps.length} steps`}
        </summary>
        <div className="mt-1.5">
          <StepList steps={hidden} />
        </div>
      </details>
      {going && (
        <div className="mt-1.5">
          <StepList steps={steps.slice(-shownAtOnce)} />
        </div>
      )}
    </div>
  )
}

function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ul aria-label="Steps" className="flex flex-col gap-1">
      {steps.map((step) => (
        <StepRow key={step.id} step={step} />
      ))}
    </ul>
  )
}

function StepRow({ step }: { step: Step }) {
  const { icon: Icon, tone, word } = looks[step.status]
  return (
    <li className="flex items-start gap-2 text-sm text-ink-soft" data-tool={step.tool} data-step-status={step.status}>
      <Icon
        size={14}
        aria-hidden
        className={`mt-[0.2rem] shrink-0 ${tone} ${step.status === 'running' ? 'spin' : ''}`}
      />
      <span dir="auto" className="min-w-0 break-words">
        {step.summary || step.tool.replaceAll('_', ' ')}
        <span className="sr-only">, {word}</span>
      </span>
    </li>
  )
}
