import { Button } from '../ui/button.tsx'

type RefusalBannerProps = { refusal: 'too_large' | 'invalid' }

const reasons = {
  too_large: 'The last change is too large to be saved in one piece.',
  invalid: 'The server could not read the last change.',
} as const

/** Says that the last change was not saved and that going on needs a reload. */
export function RefusalBanner({ refusal }: RefusalBannerProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-danger/40 bg-danger-soft px-4 py-2.5 text-sm text-danger"
    >
      <span className="min-w-0 flex-1">{reasons[refusal]} Copy what you need from the text, then reload.</span>
      <Button look="danger" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}
