import { MarkdownView } from './markdown-view.tsx'
import type { AnswerPart } from './parts.ts'
import { PlanList } from './plan-list.tsx'
import { StepCard } from './step-card.tsx'
import type { ChatRun } from './types.ts'

/** What an answer took: its plan once it has ended, its steps with what was said between them, and its costs. */
export function WorkBody({ run, work }: { run: ChatRun; work: readonly AnswerPart[] }) {
  return (
    <div className="ap-work-body">
      {run.tone !== 'going' && run.plan && <PlanList items={run.plan} />}
      {work.map((part) =>
        part.kind === 'said' ? (
          <MarkdownView key={part.key} text={part.text} />
        ) : (
          <ul key={part.key} aria-label="Steps" className="ap-steps">
            {part.steps.map((step) => (
              <StepCard key={step.id} step={step} />
            ))}
          </ul>
        ),
      )}
      {run.figures !== undefined && <p className="ap-faint">{run.figures}</p>}
    </div>
  )
}
