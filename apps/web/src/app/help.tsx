import { lazy, startTransition, Suspense, useState } from 'react'
import { useHelpKeys } from '../common/use-help-keys.ts'

const ShortcutsOverview = lazy(async () => ({
  default: (await import('../document/editor/shortcuts-overview.tsx')).ShortcutsOverview,
}))

/** The overview of all keyboard shortcuts by its keys, for pages without an editor, which has its own. */
export function Help() {
  const [isOpen, setOpen] = useState(false)
  useHelpKeys(() => startTransition(() => setOpen(true)))
  if (!isOpen) return null
  return (
    <Suspense>
      <ShortcutsOverview onClose={() => setOpen(false)} />
    </Suspense>
  )
}
