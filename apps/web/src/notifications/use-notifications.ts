import type { NotificationList } from '@copydesk/protocol'
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchNotifications, readNotifications } from '../api/notifications.ts'
import { useAction } from '../ui/use-action.ts'

const notificationsKey = ['notifications'] as const
const unreadKey = [...notificationsKey, 'unread'] as const
const lookEveryMs = 30_000

/** The number of unread notifications: polled while the page is visible, and refetched when it becomes visible. */
export function useUnread(): number {
  const { data } = useQuery({
    queryKey: unreadKey,
    queryFn: async ({ signal }) => (await fetchNotifications(null, signal)).unread,
    refetchInterval: lookEveryMs,
    refetchOnWindowFocus: 'always',
  })
  return data ?? 0
}

export function useNotifications() {
  return useInfiniteQuery({
    queryKey: [...notificationsKey, 'list'],
    queryFn: ({ pageParam, signal }) => fetchNotifications(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: NotificationList) => page.nextCursor,
    refetchOnMount: 'always',
  })
}

/** Marks notifications as read, all of them without ids. */
export function useMarkRead() {
  const client = useQueryClient()
  return useAction((ids: readonly string[] | void) => readNotifications(ids ?? undefined), {
    changes: notificationsKey,
    onDone: (unread) => client.setQueryData(unreadKey, unread),
  })
}

/** Refetches the notifications. */
export function lookAgain(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: notificationsKey })
}
