import {
  Account,
  type AccountPerson,
  AccountPersonList,
  type AccountSession,
  AccountSessionList,
  type ApiKey,
  ApiKeyList,
  type ChangePassword,
  CreatedInvitation,
  CreatedKey,
  type CreateInvitation,
  type CreateKey,
  type Invitation,
  InvitationList,
  OpenedLink,
  OwnerlessList,
  type PatchAccount,
  type PatchPerson,
  Redirect,
  ResetLink,
  Session,
  type SignIn,
  type SignUp,
  StorageReport,
} from '@copydesk/protocol'
import type { z } from 'zod'
import { request, send } from '../api/client.ts'

const post = 'POST'

/** Signs in; the browser keeps the session as a cookie. */
export function signIn(body: z.infer<typeof SignIn>): Promise<Session> {
  return request('/auth/sign-in', Session, { method: post, body })
}

/** Makes an account with the token of a link, and signs in. */
export function signUp(body: SignUp): Promise<Session> {
  return request('/auth/sign-up', Session, { method: post, body })
}

/** Sets a new password with the token of a link, and signs in. */
export function resetPassword(body: { token: string; password: string }): Promise<Session> {
  return request('/auth/reset', Session, { method: post, body })
}

/** What a link is for; rejects with `not_found` when it is not valid any more. */
export function lookAtLink(token: string): Promise<OpenedLink> {
  return request('/auth/links', OpenedLink, { method: post, body: { token } })
}

/** Leaves for the other server to sign in there; `invitation` lets somebody in who has no account yet. */
export async function goToOidc(given: { returnTo?: string; invitation?: string }): Promise<void> {
  location.assign((await request('/auth/oidc', Redirect, { method: post, body: given })).url)
}

/** Leaves for the other server to connect one's account with it. */
export async function connectOidc(): Promise<void> {
  location.assign((await request('/auth/oidc/connect', Redirect, { method: post })).url)
}

/** Signs in through the other server no more. */
export async function disconnectOidc(): Promise<void> {
  await send('/auth/oidc', { method: 'DELETE' })
}

/** Ends this session, or all of one's own. */
export async function endSession({ everywhere }: { everywhere: boolean }): Promise<void> {
  await send(everywhere ? '/auth/sign-out-everywhere' : '/auth/sign-out', { method: post })
}

/** One's own account. */
export function fetchAccount(signal: AbortSignal): Promise<Account> {
  return request('/auth/account', Account, { signal })
}

/** Changes name or address. */
export function patchAccount(body: PatchAccount): Promise<Account> {
  return request('/auth/account', Account, { method: 'PATCH', body })
}

/** Sets another password; ends all other sessions, and all keys unless they are kept. */
export async function changePassword(body: ChangePassword): Promise<void> {
  await send('/auth/password', { method: post, body })
}

/** Where one is signed in. */
export async function fetchSessions(signal: AbortSignal): Promise<AccountSession[]> {
  return (await request('/auth/sessions', AccountSessionList, { signal })).sessions
}

/** Ends one session. */
export async function endOneSession(id: string): Promise<void> {
  await send(`/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** One's own keys. */
export async function fetchKeys(signal: AbortSignal): Promise<ApiKey[]> {
  return (await request('/auth/keys', ApiKeyList, { signal })).keys
}

/** Makes a key, which is told this once. */
export function createKey(body: CreateKey): Promise<CreatedKey> {
  return request('/auth/keys', CreatedKey, { method: post, body })
}

/** Takes a key away. */
export async function revokeKey(id: string): Promise<void> {
  await send(`/auth/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** Everybody who has an account. */
export async function fetchPeople(signal: AbortSignal): Promise<AccountPerson[]> {
  return (await request('/auth/people', AccountPersonList, { signal })).people
}

/** Closes or opens an account, makes somebody an operator or not. */
export async function patchPerson(id: string, body: PatchPerson): Promise<void> {
  await send(`/auth/people/${encodeURIComponent(id)}`, { method: 'PATCH', body })
}

/** A link for a new password, to be handed over. */
export function createResetLink(id: string): Promise<ResetLink> {
  return request(`/auth/people/${encodeURIComponent(id)}/reset`, ResetLink, { method: post })
}

/** Invitations that nobody has used yet. */
export async function fetchInvitations(signal: AbortSignal): Promise<Invitation[]> {
  return (await request('/auth/invitations', InvitationList, { signal })).invitations
}

/** A link that lets one person in, to be handed over. */
export function createInvitation(body: CreateInvitation): Promise<CreatedInvitation> {
  return request('/auth/invitations', CreatedInvitation, { method: post, body })
}

/** Takes an invitation back. */
export async function revokeInvitation(id: string): Promise<void> {
  await send(`/auth/invitations/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** Documents that nobody owns who could sign in. */
export async function fetchOwnerless(signal: AbortSignal): Promise<OwnerlessList['documents']> {
  return (await request('/ownerless', OwnerlessList, { signal })).documents
}

/** Makes somebody the owner of a document that has none. */
export async function handOver(document: string, person: string): Promise<void> {
  await send(`/ownerless/${encodeURIComponent(document)}`, { method: post, body: { person } })
}

/** What is stored against the quotas. */
export function fetchStorage(signal: AbortSignal): Promise<StorageReport> {
  return request('/storage', StorageReport, { signal })
}
