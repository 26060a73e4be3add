import { ChevronDown, ChevronUp } from 'lucide-react'
import { IconButton } from '../ui/icon-button.tsx'

type ChangeStepperProps = { count: number; at: number | undefined; onStep: (at: number) => void }

/** The number of changes, with buttons for the next and previous one. */
export function ChangeStepper({ count, at, onStep }: ChangeStepperProps) {
  const step = (by: 1 | -1) => {
    const from = at ?? (by === 1 ? -1 : count)
    onStep((from + by + count) % count)
  }
  return (
    <div className="flex items-center gap-0.5">
      <p aria-live="polite" className="px-1 text-sm whitespace-nowrap text-ink-soft tabular-nums">
        {countOf(count, at)}
      </p>
      <IconButton label="Previous change" disabled={count === 0} onClick={() => step(-1)}>
        <ChevronUp size={17} aria-hidden />
      </IconButton>
      <IconButton label="Next change" disabled={count === 0} onClick={() => step(1)}>
        <ChevronDown size={17} aria-hidden />
      </IconButton>
    </div>
  )
}

function countOf(count: number, at: number | undefined): string {
  if (count === 0) return 'No changes'
  if (at !== undefined) return `${at + 1} of ${count}`
  return count === 1 ? '1 change' : `${count} changes`
}
