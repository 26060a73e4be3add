import {
  Account,
  AccountPersonList,
  AccountSessionList,
  ApiKeyList,
  AuditList,
  type AuditQuery,
  type ChangePassword,
  CreatedInvitation,
  CreatedKey,
  type CreateInvitation,
  type CreateKey,
  InvitationList,
  OpenedLink,
  OwnerlessList,
  type PatchAccount,
  type PatchMe,
  type PatchPerson,
  Redirect,
  type RequestReset,
  ResetLink,
  Session,
  type SignIn,
  type SignUp,
  StorageReport,
  User,
} from '@copydesk/protocol'
import type { z } from 'zod'
import { queryOptions } from '@tanstack/react-query'
import { apiPath, request, send } from '../client.ts'
import { accountKey } from '../query-client.ts'

const post = 'POST'

/** Signs in; the browser keeps the session as a cookie. */
export function signIn(body: z.infer<typeof SignIn>): Promise<Session> {
  return request('/auth/sign-in', Session, { method: post, body })
}

/** Creates an account with the token of a link, and signs in. */
export function signUp(body: SignUp): Promise<Session> {
  return request('/auth/sign-up', Session, { method: post, body })
}

/** Sets a new password with the token of a link, and signs in. */
export function resetPassword(body: { token: string; password: string }): Promise<Session> {
  return request('/auth/reset', Session, { method: post, body })
}

/** Requests a mail with a link that sets a new password. */
export async function requestReset(body: RequestReset): Promise<void> {
  await send('/auth/reset-requests', { method: post, body })
}

/** Stops mails about notifications to the person of a mail's link. */
export async function stopMails(token: string): Promise<void> {
  await send('/auth/stop-mails', { method: post, body: { token } })
}

/** The purpose of a link; rejects with `not_found` when it is no longer valid. */
export function lookAtLink(token: string): Promise<OpenedLink> {
  return request('/auth/links', OpenedLink, { method: post, body: { token } })
}

/** Redirects to the OIDC provider to sign in there; `invitation` admits a user without an account. */
export async function goToOidc(given: { returnTo?: string; invitation?: string }): Promise<void> {
  location.assign((await request('/auth/oidc', Redirect, { method: post, body: given })).url)
}

/** Redirects to the OIDC provider to connect the caller's account with it. */
export async function connectOidc(): Promise<void> {
  location.assign((await request('/auth/oidc/connect', Redirect, { method: post })).url)
}

/** Disconnects the caller's account from the OIDC provider. */
export async function disconnectOidc(): Promise<void> {
  await send('/auth/oidc', { method: 'DELETE' })
}

/** Ends this session, or all of the caller's sessions. */
export async function endSession({ everywhere }: { everywhere: boolean }): Promise<void> {
  await send(everywhere ? '/auth/sign-out-everywhere' : '/auth/sign-out', { method: post })
}

/** Changes the caller's own name, colour or language, with and without an account; resolves to the changed caller. */
export function patchMe(body: PatchMe): Promise<User> {
  return request('/me', User, { method: 'PATCH', body })
}

/** The caller's account. */
export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: ({ signal }) => request('/auth/account', Account, { signal }),
})

/** Changes name, address, or whether notifications are mailed. */
export function patchAccount(body: PatchAccount): Promise<Account> {
  return request('/auth/account', Account, { method: 'PATCH', body })
}

/** Sets another password; ends all other sessions, and revokes all API keys unless they are kept. */
export async function changePassword(body: ChangePassword): Promise<void> {
  await send('/auth/password', { method: post, body })
}

export const sessionsQuery = queryOptions({
  queryKey: [...accountKey, 'sessions'],
  queryFn: async ({ signal }) => (await request('/auth/sessions', AccountSessionList, { signal })).sessions,
})

export async function endOneSession(id: string): Promise<void> {
  await send(apiPath`/auth/sessions/${id}`, { method: 'DELETE' })
}

/** The caller's API keys. */
export const keysQuery = queryOptions({
  queryKey: [...accountKey, 'keys'],
  queryFn: async ({ signal }) => (await request('/auth/keys', ApiKeyList, { signal })).keys,
})

/** Creates an API key; only this response contains it. */
export function createKey(body: CreateKey): Promise<CreatedKey> {
  return request('/auth/keys', CreatedKey, { method: post, body })
}

export async function revokeKey(id: string): Promise<void> {
  await send(apiPath`/auth/keys/${id}`, { method: 'DELETE' })
}

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async ({ signal }) => (await request('/auth/people', AccountPersonList, { signal })).people,
})

/** Closes or reopens an account, grants or revokes the operator's right. */
export async function patchPerson(id: string, body: PatchPerson): Promise<void> {
  await send(apiPath`/auth/people/${id}`, { method: 'PATCH', body })
}

/** Creates a link for a new password, for the operator to pass on. */
export function createResetLink(id: string): Promise<ResetLink> {
  return request(apiPath`/auth/people/${id}/reset`, ResetLink, { method: post })
}

/** The invitations that haven't been used. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await request('/auth/invitations', InvitationList, { signal })).invitations,
})

/** Creates a link that admits one user, for the operator to pass on. */
export function createInvitation(body: CreateInvitation): Promise<CreatedInvitation> {
  return request('/auth/invitations', CreatedInvitation, { method: post, body })
}

export async function revokeInvitation(id: string): Promise<void> {
  await send(apiPath`/auth/invitations/${id}`, { method: 'DELETE' })
}

/** Documents and folders without an owner who could sign in. */
export const ownerlessQuery = queryOptions({
  queryKey: ['ownerless'],
  queryFn: ({ signal }) => request('/ownerless', OwnerlessList, { signal }),
})

/** Makes a user the owner of a document or folder that has none. */
export async function handOver(kind: 'document' | 'folder', id: string, person: string): Promise<void> {
  const path = kind === 'folder' ? apiPath`/ownerless/folders/${id}` : apiPath`/ownerless/${id}`
  await send(path, { method: post, body: { person } })
}

export const storageQuery = queryOptions({
  queryKey: ['storage'],
  queryFn: ({ signal }) => request('/storage', StorageReport, { signal }),
  gcTime: 0,
})

/** Filters entries of the audit log. */
export type AuditFilter = Omit<AuditQuery, 'cursor' | 'format'>

function path(filter: AuditFilter, more: Record<string, string>): string {
  return `/audit?${new URLSearchParams({ ...filter, ...more })}`
}

/** A page of the audit log, newest first. */
export function fetchAudit(filter: AuditFilter, cursor: string | null, signal: AbortSignal): Promise<AuditList> {
  return request(path(filter, cursor === null ? {} : { cursor }), AuditList, { signal })
}

/** All matching entries as a file. */
export async function exportAudit(filter: AuditFilter, format: 'csv' | 'jsonl'): Promise<Blob> {
  return (await send(path(filter, { format }))).blob()
}
