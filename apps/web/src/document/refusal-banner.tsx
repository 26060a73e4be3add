import { showToast } from '../app/toasts.tsx'
import type { ConnectionState, Refusal } from '../collaboration/connection-state.ts'
import { Button } from '../ui/button.tsx'

type RefusalBannerProps = { state: ConnectionState; readText: () => string }

/** Says what was not saved and why, and that it is gone with a reload unless it is copied. */
export function RefusalBanner({ state, readText }: RefusalBannerProps) {
  const reason = state.refusal && describe(state.refusal, state.unsyncedSince)
  if (!reason) return null
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-danger/40 bg-danger-soft px-4 py-2.5 text-sm text-danger"
    >
      <span className="min-w-0 flex-1">{reason} Copy what you need before you reload.</span>
      <span className="flex gap-2">
        <Button onClick={() => void copy(readText())}>Copy the text</Button>
        <Button look="danger" onClick={() => location.reload()}>
          Reload
        </Button>
      </span>
    </div>
  )
}

function describe(refusal: Refusal, since: number | null): string | null {
  const what = since === null ? 'what this page sent last' : `what was written here since ${timeOf(since)}`
  switch (refusal) {
    case 'too_large':
      return `The server refused ${what} as too large.`
    case 'invalid':
      return `The server could not read ${what}.`
    case 'schema_outdated':
      return `Copydesk was updated and can’t take ${what} from this page.`
    case 'unauthenticated':
    case 'not_found':
      return null
  }
}

function timeOf(moment: number): string {
  return new Date(moment).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast('Text copied.')
  } catch {
    showToast('The browser didn’t allow copying. Select the text and copy it yourself.')
  }
}
