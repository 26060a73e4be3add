import type { Me, Run, User } from '@copydesk/protocol'
import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { type Access, allows } from '../access-level.ts'
import type { Accounts } from '../auth/accounts.ts'
import { type Caller, SESSION_COOKIE } from '../auth/callers.ts'
import type { TakeUpdate } from '../collaboration/http-sync.ts'
import { RequestError } from '../errors.ts'
import type { Services } from '../services.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { RequestLimits } from './request-limits.ts'

/** What the routes need from the rest of the server. */
export type ApiDeps = Pick<
  Services,
  | 'tokens'
  | 'people'
  | 'identify'
  | 'documents'
  | 'threads'
  | 'changes'
  | 'highlights'
  | 'anchoring'
  | 'images'
  | 'storage'
  | 'runs'
  | 'undo'
  | 'authorship'
  | 'versions'
  | 'audit'
  | 'log'
  | 'writer'
  | 'signals'
  | 'visits'
  | 'notifications'
  | 'access'
  | 'runAccess'
  | 'roles'
  | 'members'
  | 'links'
  | 'knownPeople'
  | 'ownerless'
  | 'now'
  | 'elapsed'
  | 'createId'
> & {
  db: Store['db']
  /** Undefined with AUTH=open. */
  accounts: Accounts | undefined
  agent: Me['agent']
  publicUrl: string
  requests: RequestLimits
  takeUpdate: TakeUpdate
  /** Why the server can't serve right now; `undefined` if it can. */
  trouble: () => Promise<string | undefined>
}

type PersonCalling = Caller & { kind: 'person' }

/** The run of this id in this document. @throws RequestError `not_found`. */
export async function requireRun(params: { id: string; run: string }, deps: Pick<ApiDeps, 'runs'>): Promise<Run> {
  const run = await deps.runs.find(params.run)
  if (run?.documentId !== params.id) throw new RequestError('not_found', 'There is no such run in this document.')
  return run
}

/** The bearer token or session cookie that a request carries. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer ?? request.cookies[SESSION_COOKIE]
}

/** Who is calling, if it is anybody; a run's token opens documents but calls no routes. */
export async function findPerson(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify'>,
): Promise<PersonCalling | undefined> {
  const credential = credentialOf(request)
  const caller = credential === undefined ? undefined : await deps.identify(credential)
  return caller?.kind === 'person' ? caller : undefined
}

/**
 * Who is calling, if it is a person or a program with their key, by bearer token or session cookie.
 * @throws RequestError `unauthenticated`; a run's token opens documents but calls no routes. `forbidden` if the key is
 * for less than `need`; RateLimited if they have asked too often.
 */
export async function requireCaller(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify' | 'accounts' | 'requests'>,
  need: Access = 'read',
): Promise<PersonCalling> {
  const credential = credentialOf(request)
  const caller = await findPerson(request, deps)
  if (!caller) {
    throw new RequestError(
      'unauthenticated',
      credential === undefined ? 'You are not signed in.' : 'The session is not valid or has expired.',
      deps.accounts
        ? 'Sign in, or send a key as "Authorization: Bearer <key>".'
        : 'Get a session with POST /api/session and send its token as a cookie or as "Authorization: Bearer <token>".',
    )
  }
  deps.requests.countCaller(request, caller)
  if (caller.limit !== undefined && !allows(caller.limit, need)) {
    throw new RequestError('forbidden', 'This key is not for that.', 'Use a key with a wider scope.')
  }
  return caller
}

/** The person who is calling; throws as `requireCaller` does. */
export async function requirePerson(request: FastifyRequest, deps: ApiDeps, need?: Access): Promise<User> {
  return (await requireCaller(request, deps, need)).user
}

/**
 * Who is calling, for what guests can't do: they have only what share links give. @throws RequestError as
 * `requireCaller`.
 */
export async function requireAccount(request: FastifyRequest, deps: ApiDeps, need?: Access): Promise<PersonCalling> {
  const caller = await requireCaller(request, deps, need)
  if (!caller.guest) return caller
  throw new RequestError('forbidden', 'Guests can only work on what was shared with them.', 'Sign in for more.')
}

/**
 * Looks once more whether somebody may do what they were about to do, for what takes long: right before it is carried
 * out, in its transaction if it has one. Throws as `requireAllowed` does.
 */
export function stillAllowed(deps: Pick<ApiDeps, 'access'>, caller: Caller, document: string, need: Access) {
  return async (trx?: Transaction<Tables>): Promise<void> =>
    requireAccess(await deps.access(caller, document, trx), need)
}

function requireAccess(access: Access | undefined, need: Access): asserts access is Access {
  if (!access) throw new RequestError('not_found', 'There is no such document, or it is not shared with you.')
  if (allows(access, need)) return
  throw new RequestError('forbidden', `You may read this document but not ${missing[need]}.`, 'Ask its owner for more.')
}

const missing: Record<Access, string> = {
  read: 'open it',
  comment: 'comment on it or ask the agent',
  write: 'change it',
  manage: 'do that: only its owners can',
}

/** The person who is calling, if they may do with the document what is needed; throws as `requireAllowed` does. */
export async function requireDocument(request: DocumentRequest, deps: ApiDeps, need: Access): Promise<User> {
  return (await requireAllowed(request, deps, need)).caller.user
}

type DocumentRequest = FastifyRequest<{ Params: { id: string } }>

/**
 * Who is calling, and what they may do with the document. What takes long asks again before it is carried out.
 * @throws RequestError `unauthenticated`, `not_found` (no such document, or not theirs to see) or `forbidden`.
 */
export async function requireAllowed(
  request: DocumentRequest,
  deps: ApiDeps,
  need: Access,
): Promise<{ caller: PersonCalling; access: Access }> {
  const caller = await requireCaller(request, deps)
  const access = await deps.access(caller, request.params.id)
  requireAccess(access, need)
  // A disk that is full takes no note of visits, and one that stalls takes a while; people read on.
  deps.visits.note(request.params.id, caller.user.id).catch((error: unknown) => {
    request.log.warn({ err: error, document: request.params.id }, 'a visit was not noted')
  })
  return { caller, access }
}
