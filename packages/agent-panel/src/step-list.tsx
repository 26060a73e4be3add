import type { Drafts } from './drafts.ts'
import { StepCard } from './step-card.tsx'
import type { ChatStep } from './types.ts'

type StepListProps = { steps: readonly ChatStep[]; isGoing: boolean; drafts: Drafts }

const shownAtOnce = 5

/**
 * The steps of an answer, one card each. A long list shows the last steps while the answer is in progress, and
 * collapses afterwards.
 */
export function StepList({ steps, isGoing, drafts }: StepListProps) {
  if (steps.length <= shownAtOnce) return <Cards steps={steps} drafts={drafts} />
  const folded = isGoing ? steps.slice(0, -shownAtOnce) : steps
  const open = isGoing ? steps.slice(-shownAtOnce) : []
  return (
    <div>
      <details className="ap-folded">
        <summary>{isGoing ? `${folded.length} earlier steps` : `${steps.length} steps`}</summary>
        <Cards steps={folded} drafts={drafts} />
      </details>
      {open.length > 0 && <Cards steps={open} drafts={drafts} />}
    </div>
  )
}

function Cards({ steps, drafts }: Pick<StepListProps, 'steps' | 'drafts'>) {
  return (
    <ul aria-label="Steps" className="ap-steps">
      {steps.map((step) => (
        <StepCard key={step.id} step={step} drafts={drafts} />
      ))}
    </ul>
  )
}
