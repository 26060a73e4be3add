import { useMemo, useSyncExternalStore } from 'react'
import { Cloud, CloudAlert, CloudOff, CloudUpload, LoaderCircle, type LucideIcon } from 'lucide-react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { createRestedState } from '../collaboration/rested-state.ts'
import type { SavedState } from '../collaboration/saved-state.ts'
import { Tooltip } from '../ui/tooltip.tsx'

const icons: Record<SavedState['kind'], LucideIcon> = {
  opening: LoaderCircle,
  saved: Cloud,
  saving: CloudUpload,
  offline: CloudOff,
  refused: CloudAlert,
}

const tones: Record<SavedState['kind'], string> = {
  opening: 'text-ink-faint',
  saved: 'text-ink-faint',
  saving: 'text-ink-faint',
  offline: 'text-warn',
  refused: 'text-danger',
}

/** The saved state of the document. Announces going offline to screen readers, but not every saved key press. */
export function SavedStatus({ connection }: { connection: DocumentConnection }) {
  const rested = useMemo(() => createRestedState(connection.state), [connection])
  const { kind, label, detail } = useSyncExternalStore(rested.subscribe, rested.get)
  const Icon = icons[kind]
  const urgent = kind === 'offline' || kind === 'refused'
  return (
    <Tooltip text={detail}>
      <span
        role="status"
        aria-live={urgent ? 'polite' : 'off'}
        data-state-kind={kind}
        className={`flex shrink-0 items-center gap-1.5 text-sm whitespace-nowrap sm:min-w-20 ${tones[kind]}`}
      >
        <Icon size={16} aria-hidden className={kind === 'opening' ? 'spin' : ''} />
        <span className={urgent ? '' : 'sr-only sm:not-sr-only'}>{label}</span>
        {urgent && <span className="sr-only lg:not-sr-only"> — {detail}</span>}
      </span>
    </Tooltip>
  )
}
