import { DocumentPeople, NotificationList, UnreadCount } from '@copydesk/protocol'
import { apiPath, request } from './client.ts'

/** A page of the caller's notifications, the newest first. */
export function fetchNotifications(cursor: string | null, signal?: AbortSignal): Promise<NotificationList> {
  const query = cursor === null ? '' : apiPath`?cursor=${cursor}`
  return request(`/notifications${query}`, NotificationList, signal ? { signal } : {})
}

/** Marks notifications as read, all of them without `ids`. Resolves to the number of unread ones. */
export async function readNotifications(ids?: readonly string[]): Promise<number> {
  const body = ids ? { ids } : {}
  return (await request('/notifications/read', UnreadCount, { method: 'POST', body })).unread
}

/** The visitors of a document, who can be mentioned there, latest visit first, and its agents. */
export function fetchPeople(document: string): Promise<DocumentPeople> {
  return request(apiPath`/documents/${document}/people`, DocumentPeople)
}
