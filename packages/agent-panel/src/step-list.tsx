import { StepCard } from './step-card.tsx'
import type { ChatStep } from './types.ts'

/** The steps of an answer, one card each. */
export function StepList({ steps }: { steps: readonly ChatStep[] }) {
  return (
    <ul aria-label="Steps" className="ap-steps">
      {steps.map((step) => (
        <StepCard key={step.id} step={step} />
      ))}
    </ul>
  )
}
