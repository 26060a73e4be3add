import { type Notification, pathOfPlace } from '@copydesk/protocol'
import { Bell, CheckCheck } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from '../common/location.tsx'
import { relativeTime } from '../common/relative-time.ts'
import { tRich } from '../i18n/rich-text.ts'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { describeError } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { LoadFailure } from '../ui/loaded.tsx'
import { fallbackColorOf } from '../ui/people/person-look.ts'
import { useMarkRead, useNotifications } from './use-notifications.ts'

type NotificationPanelProps = { anchor: HTMLElement | null; onClose: () => void }

/**
 * The list that the bell opens: the people who mentioned the user, or replied, with the place and the text. Each item
 * links to its target.
 */
export function NotificationPanel({ anchor, onClose }: NotificationPanelProps) {
  const virtual = useMemo(() => ({ current: anchor ?? document.body }), [anchor])
  const markRead = useMarkRead()
  // On navigation the focus moves to the target, not back to the bell.
  const [isLeaving, setLeaving] = useState(false)
  const open = (notification: Notification) => {
    setLeaving(true)
    if (!notification.read) markRead.mutate([notification.id])
    onClose()
  }
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={virtual} />
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t('Notifications')}
          // A click on the bell already closes the list.
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor?.contains(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!isLeaving) anchor?.focus()
          }}
          className="pop z-50 flex max-h-[min(32rem,calc(100dvh-5rem))] w-[min(24rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-raised"
        >
          <List onOpen={open} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function List({ onOpen }: { onOpen: (notification: Notification) => void }) {
  const markRead = useMarkRead()
  const query = useNotifications()
  const list = query.data?.pages.flatMap((page) => page.notifications) ?? []
  const hasUnread = list.some(({ read }) => !read)
  return (
    <>
      <div className="flex min-h-12 shrink-0 items-center justify-between gap-2 border-b border-line pr-2 pl-4">
        <h2 className="text-sm font-semibold">{t('Notifications')}</h2>
        {hasUnread && (
          <Button size="small" disabled={markRead.isPending} onClick={() => markRead.mutate(undefined)}>
            <CheckCheck size={13} aria-hidden />
            {t('Mark all as read')}
          </Button>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {query.isPending && <div aria-busy="true" className="skeleton m-4 h-12" />}
        {list.length === 0 && query.error && (
          <div className="p-2">
            <LoadFailure text={describeError(query.error)} onRetry={() => void query.refetch()} />
          </div>
        )}
        {query.isSuccess && list.length === 0 && <Empty />}
        <ul>
          {list.map((notification) => (
            <Item key={notification.id} notification={notification} onOpen={() => onOpen(notification)} />
          ))}
        </ul>
        {query.hasNextPage && (
          <div className="flex justify-center p-3">
            <Button size="small" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('Show older')}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function Empty() {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center text-ink-soft">
      <Bell size={22} aria-hidden className="mb-2 text-ink-faint" />
      <p className="font-medium text-ink">{t('Nothing yet')}</p>
      <p className="mt-1 text-sm text-balance">
        {t('Mentions of your name, and replies in threads that you take part in, appear here.')}
      </p>
    </div>
  )
}

type ItemProps = { notification: Notification; onOpen: () => void }

function Item({ notification, onOpen }: ItemProps) {
  const { author, excerpt, createdAt, read } = notification
  const [now] = useState(() => new Date())
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to={pathOfPlace(notification.document.id, notification.place)}
        onClick={onOpen}
        className={`flex gap-3 px-4 py-3 outline-offset-[-3px] hover:bg-hover ${read ? '' : 'bg-accent-soft/45'}`}
      >
        <Avatar name={author.name} color={author.color ?? fallbackColorOf(author.id)} kind={author.kind} size={26} />
        <span className="min-w-0 flex-1 text-sm">
          <span className="block break-words text-ink-soft">
            <NotificationText notification={notification} />
          </span>
          <span dir="auto" className="mt-0.5 line-clamp-2 break-words text-ink">
            {excerpt}
          </span>
          <span className="mt-0.5 block text-xs text-ink-faint">{relativeTime(createdAt, now)}</span>
        </span>
        {!read && (
          <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
            <span className="sr-only">{t('Unread')}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function NotificationText({ notification: { author, document, place, kind } }: Pick<ItemProps, 'notification'>) {
  const values = {
    name: author.name,
    title: document.title || t('Untitled'),
    author: (name: ReactNode) => <bdi className="font-semibold text-ink">{name}</bdi>,
    document: (title: ReactNode) => <bdi className="font-medium text-ink">{title}</bdi>,
  }
  if (kind === 'reply') {
    return tRich('<author>{name}</author> replied to a comment on <document>{title}</document>', values)
  }
  switch (place.kind) {
    case 'text':
      return tRich('<author>{name}</author> mentioned you in the text of <document>{title}</document>', values)
    case 'comment':
      return tRich('<author>{name}</author> mentioned you in a comment on <document>{title}</document>', values)
    case 'chat':
      return tRich('<author>{name}</author> mentioned you in the chat of <document>{title}</document>', values)
  }
}
