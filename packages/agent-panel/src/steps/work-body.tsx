import { MarkdownView } from '../markdown/markdown-view.tsx'
import { PlanList } from './plan-list.tsx'
import { useTexts } from '../language/panel-language.tsx'
import { StepCard } from './step-card.tsx'
import type { WorkLineProps } from './work-line.tsx'

/** The details of an answer: its plan after its end, its steps with the texts between them, and its costs. */
export function WorkBody({ run, work }: WorkLineProps) {
  const texts = useTexts()
  return (
    <div className="ap-work-body">
      {run.tone !== 'going' && run.plan && <PlanList items={run.plan} />}
      {work.map((part) =>
        part.kind === 'said' ? (
          <MarkdownView key={part.key} text={part.text} />
        ) : (
          <ul key={part.key} aria-label={texts.steps} className="ap-steps">
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
