import { FollowedLink, LinkPreview } from '@copydesk/protocol'
import { request } from './client.ts'

/** The target of a share link. */
export function fetchLink(token: string, signal: AbortSignal): Promise<LinkPreview> {
  return request(pathOf(token), LinkPreview, { signal })
}

/** Follows a share link: with the caller's session, or without one as a guest under a name. */
export function followLink(token: string, name?: string): Promise<FollowedLink> {
  return request(pathOf(token), FollowedLink, { method: 'POST', body: name === undefined ? {} : { name } })
}

function pathOf(token: string): string {
  return `/links/${encodeURIComponent(token)}`
}
