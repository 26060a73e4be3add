import { ActionButton } from '../common/action-button.tsx'
import { Icon } from '../common/icons.tsx'
import { lazyComponent } from '../common/lazy-component.tsx'
import { type AnswerPart, countWork } from './parts.ts'
import { useTexts } from '../language/panel-language.tsx'
import { StepTitles } from './step-titles.tsx'
import { ActivityIcon } from './tool-icon.tsx'
import type { ChatRun, ChatStep } from '../common/types.ts'

// Hidden until the line is opened.
const WorkBody = lazyComponent(async () => (await import('./work-body.tsx')).WorkBody, StepTitles)

/** An answer's run, its steps, and its parts except the answer itself. */
export type WorkLineProps = { run: ChatRun; steps: readonly ChatStep[]; work: readonly AnswerPart[] }

/**
 * The agent's current activity, or its finished work, in one line, which opens the steps with the texts between them,
 * the plan, and the costs.
 */
export function WorkLine({ run, steps, work }: WorkLineProps) {
  const isGoing = run.tone === 'going'
  const texts = useTexts()
  const line = isGoing ? <Doing run={run} steps={steps} /> : countWork(steps, texts) || texts.plan
  const isEmpty = work.length === 0 && (isGoing || run.plan === undefined)
  if (isEmpty && !isGoing) return null
  return (
    <div className={isGoing ? 'ap-going' : 'ap-done'}>
      {isEmpty ? (
        <div className="ap-work-line">{line}</div>
      ) : (
        <details className="ap-work">
          <summary className="ap-work-line">
            {line}
            <Icon name="chevron" size={12} />
          </summary>
          <WorkBody run={run} steps={steps} work={work} />
        </details>
      )}
      {run.stop && <ActionButton action={run.stop} />}
    </div>
  )
}

function Doing({ run, steps }: Pick<WorkLineProps, 'run' | 'steps'>) {
  const isWaiting = steps.some(({ status }) => status === 'waiting')
  const going = steps.findLast(({ status }) => status === 'running')
  return (
    <>
      <ActivityIcon tool={going?.tool} isWaiting={isWaiting} />
      <span className="ap-going-text">
        <bdi>{run.label}</bdi>
        {run.detail !== undefined && <span className="ap-faint"> · {run.detail}</span>}
      </span>
    </>
  )
}
