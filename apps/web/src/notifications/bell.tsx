import { type ComponentProps, lazy, Suspense } from 'react'

const NotificationBell = lazy(async () => ({ default: (await import('./notification-bell.tsx')).NotificationBell }))

/** The bell of `notification-bell.tsx`, loaded in parallel with its page, with its space reserved. */
export function Bell(props: ComponentProps<typeof NotificationBell>) {
  return (
    <Suspense fallback={<span aria-hidden className="size-9 shrink-0" />}>
      <NotificationBell {...props} />
    </Suspense>
  )
}
