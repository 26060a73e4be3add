import { UsersRound } from 'lucide-react'
import type { OpenChange } from '../editor/review/review-ui.ts'
import { nameOthers } from './change-text.ts'

/** The line of a card that names the other contributors to a suggested change; nothing if there are none. */
export function Contributors({ change }: { change: Pick<OpenChange, 'author' | 'alsoBy'> }) {
  const words = nameOthers(change)
  if (words === undefined) return null
  return (
    <p className="mt-1 flex gap-1.5 text-xs text-warn">
      <UsersRound size={13} aria-hidden className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{words}</span>
    </p>
  )
}
