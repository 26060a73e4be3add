import { type ComponentProps, Suspense } from 'react'
import { lazyPart, loadLate } from '../common/lazy-part.ts'

const NotificationBell = lazyPart(() =>
  loadLate(async () => (await import('./notification-bell.tsx')).NotificationBell),
)

/** The bell of `notification-bell.tsx`, loaded in parallel with its page, with its space reserved. */
export function Bell(props: ComponentProps<typeof NotificationBell>) {
  return (
    <Suspense fallback={<span aria-hidden className="size-9 shrink-0" />}>
      <NotificationBell {...props} />
    </Suspense>
  )
}
