import { NOTIFIED } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'
import { separatePart } from '../common/lazy-part.ts'
import { t } from '../i18n/translate.ts'
import { iconButtonClass } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltips/tooltip.tsx'
import { lookAgain, useUnread } from './use-notifications.ts'

const NotificationPanel = separatePart(async () => (await import('./notification-panel.tsx')).NotificationPanel)

/** The source of push events: `stateless` messages of the server on an open document's connection. */
type PushSource = {
  on(event: 'stateless', listener: (message: { payload: string }) => void): unknown
  off(event: 'stateless', listener: (message: { payload: string }) => void): unknown
}

/**
 * The bell with the number of unread notifications, which opens their list. With `pushSource` the number updates
 * immediately.
 */
export function NotificationBell({ pushSource }: { pushSource?: PushSource }) {
  const unread = useUnread()
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [open, setOpen] = useState(false)
  useUnreadPush(pushSource)
  const label = unread === 0 ? t('Notifications') : t('Notifications, {count, number} unread', { count: unread })
  return (
    <>
      <Tooltip text={label}>
        <button
          ref={setButton}
          type="button"
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen((before) => !before)}
          className={`${iconButtonClass} relative`}
        >
          <Bell size={18} aria-hidden />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute top-1 right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-danger px-1 text-[0.65rem] leading-none font-semibold text-surface ring-2 ring-surface"
            >
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </button>
      </Tooltip>
      <span aria-live="polite" className="sr-only">
        {unread > 0
          ? t('{count, plural, one {# unread notification} other {# unread notifications}}', { count: unread })
          : ''}
      </span>
      {open && <NotificationPanel anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}

function useUnreadPush(pushSource: PushSource | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!pushSource) return undefined
    const listener = ({ payload }: { payload: string }) => {
      if (payload === NOTIFIED) void lookAgain(client)
    }
    pushSource.on('stateless', listener)
    return () => void pushSource.off('stateless', listener)
  }, [client, pushSource])
}
