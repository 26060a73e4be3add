import { memo } from 'react'
import { ActionButton } from '../common/action-button.tsx'
import { Icon, type IconName } from '../common/icons.tsx'
import { useLocale, useTexts } from '../language/panel-language.tsx'
import { TextPairView } from './text-pairs.tsx'
import type { PanelTexts } from '../language/texts.ts'
import type { ChatStep, StepStatus } from '../common/types.ts'

const looks = {
  running: { icon: 'spinner', word: 'stepRunning' },
  done: { icon: 'check', word: 'stepDone' },
  failed: { icon: 'alert', word: 'stepFailed' },
  waiting: { icon: 'hand', word: 'stepWaiting' },
  rejected: { icon: 'dashed', word: 'stepRejected' },
} as const satisfies Record<StepStatus, { icon: IconName; word: keyof PanelTexts }>

/** One step as a collapsible line: the text that it read or changed, its duration, its failure. */
export const StepCard = memo(function StepCard({ step }: { step: ChatStep }) {
  const texts = useTexts()
  const { icon, word } = looks[step.status]
  const line = (
    <span className="ap-step-line">
      <span className={`ap-step-icon ap-step-${step.status}`}>
        <Icon name={icon} />
      </span>
      <span dir="auto" className={`ap-step-title ${step.isUndone ? 'ap-undone' : ''}`}>
        {step.title}
        <span className="ap-hidden">, {texts[step.isUndone ? 'stepTakenBack' : word]}</span>
      </span>
    </span>
  )
  return (
    <li className="ap-step" data-tool={step.tool} data-step-status={step.status}>
      <div className="ap-step-row">
        {hasDetails(step) ? (
          <details className="ap-step-details">
            <summary>
              {line}
              <span className="ap-step-chevron">
                <Icon name="chevron" size={12} />
              </span>
            </summary>
            <StepDetails step={step} />
          </details>
        ) : (
          <div className="ap-step-details">{line}</div>
        )}
        {step.actions?.map((action) => (
          <ActionButton key={action.id} action={action} isQuiet />
        ))}
      </div>
      {step.decided !== undefined && (
        <p dir="auto" className="ap-step-note">
          {step.decided}
        </p>
      )}
    </li>
  )
})

function hasDetails(step: ChatStep): boolean {
  const { read, changes, proposal, error } = step
  return (
    read !== undefined ||
    changes !== undefined ||
    proposal !== undefined ||
    step.review !== undefined ||
    error !== undefined ||
    isShown(step.durationMs)
  )
}

function StepDetails({ step }: { step: ChatStep }) {
  const pairs = step.changes ?? (step.status === 'done' ? undefined : step.proposal)
  const texts = useTexts()
  const duration = formatDuration(step.durationMs, texts, useLocale())
  return (
    <div className="ap-step-body">
      {step.error && (
        <p dir="auto" className="ap-step-error">
          {step.error.message}
        </p>
      )}
      {step.error?.hint !== undefined && (
        <p dir="auto" className="ap-step-hint">
          {texts.hintForAgent(step.error.hint)}
        </p>
      )}
      {step.review?.('', () => undefined)}
      {pairs?.map((pair, index) => (
        <TextPairView key={index} pair={pair} />
      ))}
      {step.moreChanges !== undefined && <p className="ap-faint">{texts.moreChanges(step.moreChanges)}</p>}
      {step.read !== undefined && (
        <>
          <p aria-hidden="true" className="ap-faint">
            {texts.whatItRead}
          </p>
          <p dir="auto" className="ap-step-read" tabIndex={0} role="group" aria-label={texts.whatItRead}>
            {step.read}
          </p>
        </>
      )}
      {duration !== undefined && <p className="ap-faint">{texts.took(duration)}</p>}
    </div>
  )
}

/** Whether a duration in ms is long enough to be shown. */
function isShown(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= 50
}

/** Formats a duration in ms: "0.4 s", "12 s", "2 min". Undefined for durations too short to show. */
function formatDuration(ms: number | undefined, texts: PanelTexts, locale: string): string | undefined {
  if (!isShown(ms)) return undefined
  const write = (value: number, digits: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (ms < 10_000) return texts.seconds(write(ms / 1000, 1))
  return ms < 100_000 ? texts.seconds(write(ms / 1000, 0)) : texts.minutes(write(ms / 60_000, 0))
}
