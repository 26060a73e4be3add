import type { Access, CreatedKey, Folder, FollowedLink, NewShareLink, Role, Session } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from './call-api.ts'
import { invite, signUp } from './test-accounts.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { changeFile } from './test-store.ts'

/**
 * All callers who may access a document: its users by role, a program with a read-only API key of the owner, a guest
 * without an account who joined by a commenter's link, a user without access, the operator of the server, a client
 * without a session, and two users who lost their access.
 */
export const actors = [
  'owner',
  'editor',
  'commenter',
  'viewer',
  'key',
  'guest',
  'stranger',
  'operator',
  'nobody',
  'expired',
  'revoked',
] as const
export type Actor = (typeof actors)[number]

/** The actors that have a token. */
export type AuthenticatedActor = Exclude<Actor, 'nobody'>

/** A server with accounts and one document for which all actors have a role or none. */
export type RoleScene = {
  server: TestServer
  document: string
  /** An empty folder in which the actors have the same roles. */
  folder: string
  tokens: Record<AuthenticatedActor, string>
  ids: Record<AuthenticatedActor, string>
  /** Calls routes of the document. */
  as(actor: AuthenticatedActor): ApiCaller
  /** Gives an actor a role, as the owner; null removes it. */
  give(actor: AuthenticatedActor, role: Role | null): Promise<void>
  dispose(): Promise<void>
}

/** The access of each actor to the document. */
export const accessOf: Readonly<Record<Actor, Access | undefined>> = {
  owner: 'manage',
  editor: 'write',
  commenter: 'comment',
  viewer: 'read',
  key: 'read',
  guest: 'comment',
  stranger: undefined,
  operator: undefined,
  nobody: undefined,
  expired: undefined,
  revoked: undefined,
}

const people = ['owner', 'editor', 'commenter', 'viewer', 'stranger', 'expired', 'revoked'] as const

/** Opens the scene, using the public routes. */
export async function openRoleScene(environment: Record<string, string> = {}): Promise<RoleScene> {
  const server = await startTestServer({ AUTH: 'accounts', ...environment })
  const operator = await signUp(server.url, server.setUpToken, 'Operator')
  const sessions = new Map<Actor, Session>([['operator', operator]])
  const join = async (actor: Actor): Promise<void> => {
    sessions.set(actor, await signUp(server.url, await invite(operator, `${actor}@example.org`), actor))
  }
  await Promise.all(people.map(join))
  const sessionOf = (actor: Actor): Session => {
    const session = sessions.get(actor)
    if (!session) throw new Error(`${actor} has no session`)
    return session
  }
  const owner = sessionOf('owner')
  const { id: document } = await server.create(owner, `Some text about ${actors.join(', ')}`)
  const as = (actor: Actor): ApiCaller => callApi(server.url, sessionOf(actor).token, document)
  const give = async (actor: Actor, role: Role | null): Promise<void> => {
    const { status, body } = await as('owner')('PUT', '/members', { members: [{ id: sessionOf(actor).user.id, role }] })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  for (const role of ['editor', 'commenter', 'viewer'] as const) await give(role, role)
  const { body: folder } = await as('owner')<Folder>('POST', '/api/folders', { name: 'Folder' })
  const members = (['editor', 'commenter', 'viewer'] as const).map((role) => ({ id: sessionOf(role).user.id, role }))
  await as('owner')('PUT', `/api/folders/${folder.id}/members`, { members })
  await give('revoked', 'editor')
  await give('revoked', null)
  const { body: key } = await as('owner')<CreatedKey>('POST', '/api/auth/keys', { name: 'Reader', scope: 'read' })
  sessions.set('key', { token: key.key, user: owner.user })
  const { body: link } = await as('owner')<NewShareLink>('POST', '/links', { role: 'commenter' })
  sessions.set('guest', await followLink(server, link.url, 'Guest'))
  await letExpire(server, as)
  const each = <T>(read: (session: Session) => T) =>
    Object.fromEntries([...sessions].map(([actor, session]) => [actor, read(session)])) as Record<AuthenticatedActor, T>
  const [tokens, ids] = [each(({ token }) => token), each(({ user }) => user.id)]
  return { server, document, folder: folder.id, tokens, ids, as, give, dispose: () => server.dispose() }
}

/** Lets an actor join by a link, and then expires the link. */
async function letExpire({ file }: TestServer, as: (actor: Actor) => ApiCaller): Promise<void> {
  const expiresAt = new Date(Date.now() + 60 * 60_000).toISOString()
  const { body } = await as('owner')<NewShareLink>('POST', '/links', { role: 'commenter', expiresAt })
  const opened = await as('expired')('POST', linkPath(body.url))
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body))
  await changeFile(file, 'UPDATE links SET expires_at = ? WHERE id = ?', Date.now(), body.id)
  await until(async () => (await as('expired')('GET', '')).status === 404, 'the link has expired')
}

/** The route that opens a link. */
export function linkPath(url: string): string {
  return `/api/links/${url.split('/').at(-1) ?? ''}`
}

/** Opens a link without an account. */
export async function followLink({ url }: TestServer, link: string, name: string): Promise<Session> {
  const response = await fetch(url + linkPath(link), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const { token, user } = (await response.json()) as FollowedLink
  if (token === undefined || user === undefined) throw new Error('the link gave no session')
  return { token, user }
}
