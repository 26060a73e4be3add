import type { ConnectionState, Refusal } from '../collaboration/connection-state.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from './copy-text.ts'

type RefusalBannerProps = {
  state: ConnectionState
  readText: () => string
  onDiscard: () => Promise<void>
  onTryAgain: () => void
  onSplit: () => void
}

/**
 * Says what was not saved and why, and what to do: continue if the browser stores it, else copy it before it is
 * discarded.
 */
export function RefusalBanner({ state, readText, onDiscard, onTryAgain, onSplit }: RefusalBannerProps) {
  const reason = state.refusal && describe(state.refusal, state)
  if (!reason) return null
  const isWelcomeLater = ['schema_outdated', 'too_many', 'no_room'].includes(state.refusal ?? '')
  // Reloading loses nothing if this browser stores the changes, or if none is unsent.
  const isSent = isWelcomeLater && (state.kept || state.unsyncedSince === null)
  const reload = async () => {
    if (!isSent) await onDiscard()
    location.reload()
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-danger/40 bg-danger-soft px-4 py-2.5 text-sm text-danger"
    >
      <span className="min-w-0 flex-1 basis-72">
        {reason} {whatToDo(state, isSent)}
      </span>
      <span className="flex flex-wrap gap-2">
        {state.refusal === 'full' && (
          <>
            <Button onClick={onTryAgain}>Try again</Button>
            <Button onClick={onSplit}>Move what follows…</Button>
          </>
        )}
        <Button onClick={() => void copyText(readText())}>Copy the text</Button>
        <Button look="danger" onClick={() => void reload()}>
          {isSent ? 'Reload' : 'Discard and reload'}
        </Button>
      </span>
    </div>
  )
}

function describe(refusal: Refusal, { unsyncedSince: since, refusalText }: ConnectionState): string | null {
  const what = since === null ? 'what this page sent last' : `what was written here since ${timeOf(since)}`
  switch (refusal) {
    case 'too_large':
      return `The server refused ${what} as too large.`
    case 'no_room':
      return `The server has no room for ${what}. ${refusalText ?? ''}`.trimEnd()
    case 'full':
      return `This document is full, so the server didn’t take ${what}.`
    case 'invalid':
      return `The server couldn’t read ${what}.`
    case 'foreign':
      return 'This page shows words of somebody else that the server has lost; it takes them only from their own page.'
    case 'too_many':
      return 'Too many windows of Copydesk are open, yours or those of others around you, so this one is not connected.'
    case 'schema_outdated':
      return `Copydesk was updated and can’t take ${what} from this page.`
    case 'read_only':
      return `You can only read this document now, so the server didn’t take ${what}.`
    case 'revoked':
      return `This document isn’t shared with you any more, so the server didn’t take ${what}.`
    case 'unauthenticated':
    case 'not_found':
      return null
  }
}

function whatToDo({ refusal, kept }: ConnectionState, isSent: boolean): string {
  if (refusal === 'full') {
    const place = kept ? 'in this browser' : 'in this tab'
    return `It is kept ${place}. Delete something, or move a part of it to a new document, then try again.`
  }
  if (refusal === 'too_many') return 'Close those that you don’t need; this one tries again every half minute.'
  if (refusal === 'no_room') {
    const kept = isSent ? 'It is kept in this browser, and this page' : 'This page'
    return `${kept} tries again every five minutes. Or copy what you need, and ask an operator for more room.`
  }
  if (refusal === 'foreign') return 'This page tries again every ten seconds. Or copy what you need, then discard it.'
  return isSent ? 'Reload to go on.' : 'Copy what you need, then discard it.'
}

function timeOf(moment: number): string {
  return new Date(moment).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}
