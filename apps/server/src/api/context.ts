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

/** The services that the routes use. */
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
  /** The reason why the server can't serve now; `undefined` if it can. */
  trouble: () => Promise<string | undefined>
}

type PersonCalling = Caller & { kind: 'person' }

/** The run with this id in this document. @throws RequestError `not_found`. */
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

/** The person calling, if the request has a valid credential; a run's token opens documents but calls no routes. */
export async function findPerson(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify'>,
): Promise<PersonCalling | undefined> {
  const credential = credentialOf(request)
  const caller = credential === undefined ? undefined : await deps.identify(credential)
  return caller?.kind === 'person' ? caller : undefined
}

/**
 * The person calling, or the owner of the API key that calls, by bearer token or session cookie.
 * @throws RequestError `unauthenticated`, also for a run's token, which opens documents but calls no routes;
 * `forbidden` if the key's scope is below `need`; RateLimited over the rate limit.
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
 * The caller, if not a guest: guests have only the access of share links.
 * @throws RequestError as `requireCaller`, `forbidden` for guests.
 */
export async function requireAccount(request: FastifyRequest, deps: ApiDeps, need?: Access): Promise<PersonCalling> {
  const caller = await requireCaller(request, deps, need)
  if (!caller.guest) return caller
  throw new RequestError('forbidden', 'Guests can only work on what was shared with them.', 'Sign in for more.')
}

/**
 * A check that repeats the access check for a slow operation, right before it is applied and in its transaction if it
 * has one.
 * @throws RequestError as `requireAllowed`.
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

/** The person calling, if they have access `need` to the document. @throws RequestError as `requireAllowed`. */
export async function requireDocument(request: DocumentRequest, deps: ApiDeps, need: Access): Promise<User> {
  return (await requireAllowed(request, deps, need)).caller.user
}

type DocumentRequest = FastifyRequest<{ Params: { id: string } }>

/**
 * The caller and their access to the document. Slow operations check again before they are applied (`stillAllowed`).
 * @throws RequestError `unauthenticated`, `not_found` (no such document, or not shared with the caller) or `forbidden`.
 */
export async function requireAllowed(
  request: DocumentRequest,
  deps: ApiDeps,
  need: Access,
): Promise<{ caller: PersonCalling; access: Access }> {
  const caller = await requireCaller(request, deps)
  const access = await deps.access(caller, request.params.id)
  requireAccess(access, need)
  // Not awaited: on a full or slow disk visits are lost or late, but reading continues.
  deps.visits.note(request.params.id, caller.user.id).catch((error: unknown) => {
    request.log.warn({ err: error, document: request.params.id }, 'a visit was not noted')
  })
  return { caller, access }
}
