import { X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { fullnessOf, nearlyFull } from '../editor/limits/fullness.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { showSplit } from './split/shown-split.ts'

/** A bar above the text for users with the right to write: the document is nearly full, or full, and what to do. */
export function FullnessBar({ connection }: { connection: DocumentConnection }) {
  const { document, content } = connection
  const store = fullnessOf(content)
  const share = useSyncExternalStore(store.subscribe, () => shownShare(store.get()))
  const [dismissed, setDismissed] = useState<number>()
  if (share === null || share === dismissed) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-sunken px-4 py-2 text-sm text-ink-soft"
    >
      <span className="min-w-0 flex-1 basis-72">
        {share < 100
          ? `This document holds ${share} % of what a document can. Move a part of it to a new one in time.`
          : 'This document is full: it takes nothing more. Delete something, or move a part of it to a new one.'}
      </span>
      <span className="flex items-center gap-2">
        <Button onClick={() => showSplit(document)}>Move what follows…</Button>
        {share < 100 && (
          <IconButton label="Dismiss" onClick={() => setDismissed(share)}>
            <X size={16} aria-hidden />
          </IconButton>
        )}
      </span>
    </div>
  )
}

/** In percent, so that it isn't rendered on each key press; null while there is plenty of room. */
function shownShare(fullness: number): number | null {
  return fullness < nearlyFull ? null : Math.min(100, Math.floor(fullness * 100))
}
