import {
  FollowedLink,
  KnownPeople,
  LinkPreview,
  type LinkRole,
  MemberList,
  NewShareLink,
  type PutMembers,
  type PutSharing,
  type ShareLink,
  ShareLinkList,
} from '@copydesk/protocol'
import { z } from 'zod'
import { apiPath, request, send } from './client.ts'

/** A document or folder that is shared with people. */
export type Shared = { kind: 'document' | 'folder'; id: string }

/** Everyone with access to a document or folder. */
export function fetchMembers({ kind, id }: Shared, signal: AbortSignal): Promise<MemberList> {
  return request(apiPath`/${kind}s/${id}/members`, MemberList, { signal })
}

/** Sets roles of people, or removes their roles with null; all others keep theirs. */
export async function putMembers({ kind, id }: Shared, members: PutMembers['members']): Promise<void> {
  await request(apiPath`/${kind}s/${id}/members`, z.unknown(), { method: 'PUT', body: { members } })
}

/**
 * Allows editors to share a document like owners, or restricts sharing to owners; sets the roles that the document
 * inherits from its folder.
 */
export async function putSharing(document: string, sharing: PutSharing): Promise<void> {
  await send(apiPath`/documents/${document}/sharing`, { method: 'PUT', body: sharing })
}

/** People with whom the caller shares a document, by a part of their name or address. */
export async function findPeople(query: string, signal: AbortSignal): Promise<KnownPeople['people']> {
  return (await request(`/people?${new URLSearchParams({ query })}`, KnownPeople, { signal })).people
}

/** The valid share links of a document, the newest first. */
export async function fetchLinks(document: string, signal: AbortSignal): Promise<ShareLink[]> {
  return (await request(apiPath`/documents/${document}/links`, ShareLinkList, { signal })).links
}

/** Creates a share link; only this response contains its address. */
export function createLink(
  document: string,
  link: { role: LinkRole; expiresAt: string | null },
): Promise<NewShareLink> {
  return request(apiPath`/documents/${document}/links`, NewShareLink, { method: 'POST', body: link })
}

export async function revokeLink(document: string, link: string): Promise<void> {
  await send(apiPath`/documents/${document}/links/${link}`, { method: 'DELETE' })
}

/** The target of a share link. */
export function fetchLink(token: string, signal: AbortSignal): Promise<LinkPreview> {
  return request(apiPath`/links/${token}`, LinkPreview, { signal })
}

/** Follows a share link: with the caller's session, or without one as a guest under a name. */
export function followLink(token: string, name?: string): Promise<FollowedLink> {
  return request(apiPath`/links/${token}`, FollowedLink, { method: 'POST', body: name === undefined ? {} : { name } })
}
