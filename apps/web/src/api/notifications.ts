import { type DocumentPerson, DocumentPeople, NotificationList, UnreadCount } from '@copydesk/protocol'
import { request } from './client.ts'

/** A page of what the caller is to be told of, the newest first. */
export function fetchNotifications(cursor: string | null, signal?: AbortSignal): Promise<NotificationList> {
  const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
  return request(`/notifications${query}`, NotificationList, signal ? { signal } : {})
}

/** Marks notifications as read, all of them without `ids`. Answers how many are left. */
export async function readNotifications(ids?: readonly string[]): Promise<number> {
  const body = ids ? { ids } : {}
  return (await request('/notifications/read', UnreadCount, { method: 'POST', body })).unread
}

/** Who has opened a document: whom one can mention there, whoever was there last first. */
export async function fetchPeople(document: string): Promise<readonly DocumentPerson[]> {
  return (await request(`/documents/${encodeURIComponent(document)}/people`, DocumentPeople)).people
}
