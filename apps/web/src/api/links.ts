import { FollowedLink, LinkPreview } from '@copydesk/protocol'
import { request } from './client.ts'

/** What a share link leads to. */
export function fetchLink(token: string, signal: AbortSignal): Promise<LinkPreview> {
  return request(pathOf(token), LinkPreview, { signal })
}

/** Comes in by a share link: as who one is, or without a session as a guest under a name. */
export function followLink(token: string, name?: string): Promise<FollowedLink> {
  return request(pathOf(token), FollowedLink, { method: 'POST', body: name === undefined ? {} : { name } })
}

function pathOf(token: string): string {
  return `/links/${encodeURIComponent(token)}`
}
