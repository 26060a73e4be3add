import type { Run, User } from '@copydesk/protocol'
import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import { type Caller, type PersonCaller, SESSION_COOKIE } from '../../auth/callers.ts'
import type { ApplyHttpUpdate } from '../../collaboration/http-sync.ts'
import { RequestError } from '../../common/errors.ts'
import { type Access, allows } from '../../common/identity.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { LocalServer } from '../../models/local-servers.ts'
import type { Services } from '../../services/services.ts'
import type { Tables } from '../../store/tables.ts'
import type { Trash } from '../../trash/trash.ts'
import type { RequestLimits } from './request-limits.ts'

/** The services that the routes use. */
export type ApiDeps = Services & {
  db: Services['store']['db']
  trash: Trash
  /** Undefined with AUTH=open. */
  accounts: Accounts | undefined
  /** Undefined if the server sends no mail. */
  mailer: Mailer | undefined
  /** The addresses at which local model servers are searched. */
  localServers: readonly LocalServer[]
  /** Whether the server has no accounts and only its own machine can reach it. */
  isOnOwnMachine: boolean
  publicUrl: string
  requests: RequestLimits
  applyUpdate: ApplyHttpUpdate
  /** The reason why the server can't serve now; `undefined` if it can. */
  problem: () => Promise<string | undefined>
}

/** The run with this id in this document. @throws RequestError `not_found`. */
export async function requireRun(params: { id: string; run: string }, deps: Pick<ApiDeps, 'runs'>): Promise<Run> {
  const run = await deps.runs.find(params.run)
  if (run?.documentId !== params.id) throw new RequestError('not_found', 'There is no such run in this document.')
  return run
}

/** The bearer token or session cookie of a request. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer ?? request.cookies[SESSION_COOKIE]
}

/** The calling person, if the request has a valid credential; a run's token opens documents but calls no routes. */
export async function findPerson(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify'>,
): Promise<PersonCaller | undefined> {
  const credential = credentialOf(request)
  const caller = credential === undefined ? undefined : await deps.identify(credential)
  return caller?.kind === 'person' ? caller : undefined
}

/**
 * The calling person, or the owner of the calling API key, by bearer token or session cookie.
 * @throws RequestError `unauthenticated`, also for a run's token, which opens documents but calls no routes;
 * `forbidden` if the key's scope is below `need`; RateLimited over the rate limit.
 */
export async function requireCaller(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify' | 'accounts' | 'requests'>,
  need: Access = 'read',
): Promise<PersonCaller> {
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
    throw new RequestError('forbidden', 'The scope of this key does not allow this.', 'Use a key with a wider scope.')
  }
  return caller
}

/**
 * The owner of the calling API key. Without accounts there are no keys, and the token of a session replaces them. Both
 * must be in the header: a page of another site could send a cookie.
 * @throws RequestError `unauthenticated`; RateLimited.
 */
export async function requireKey(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify' | 'accounts' | 'requests'>,
): Promise<PersonCaller> {
  const hint = deps.accounts
    ? 'Create an API key on the page of your account and send it as "Authorization: Bearer <key>".'
    : 'Get a token with POST /api/session and send it as "Authorization: Bearer <token>".'
  const caller = request.headers.authorization === undefined ? undefined : await requireCaller(request, deps)
  if (caller && (caller.apiKey !== undefined || !deps.accounts)) return caller
  throw new RequestError('unauthenticated', 'This needs a key.', hint)
}

/** The calling person; throws as `requireCaller` does. */
export async function requirePerson(request: FastifyRequest, deps: ApiDeps, need?: Access): Promise<User> {
  return (await requireCaller(request, deps, need)).user
}

/**
 * The caller, if not a guest: guests have only the access of share links.
 * @throws RequestError as `requireCaller`, `forbidden` for guests.
 */
export async function requireAccount(request: FastifyRequest, deps: ApiDeps, need?: Access): Promise<PersonCaller> {
  const caller = await requireCaller(request, deps, need)
  if (!caller.guest) return caller
  throw new RequestError(
    'forbidden',
    'Guests can only open documents that were shared with them.',
    'Sign in to do more.',
  )
}

/**
 * Refuses guests in routes for project files: only members may use them, whatever access a guest has.
 * @throws RequestError `forbidden`.
 */
export function requireMember({ guest }: PersonCaller): void {
  if (!guest) return
  throw new RequestError('forbidden', 'Guests can’t see or change the files of the project.', 'Ask a member to decide.')
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

/** The calling person, if they have access `need` to the document. @throws RequestError as `requireAllowed`. */
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
): Promise<{ caller: PersonCaller; access: Access }> {
  const caller = await requireCaller(request, deps)
  const access = await deps.access(caller, request.params.id)
  requireAccess(access, need)
  // Not awaited: on a full or slow disk visits are lost or late, but reading continues.
  deps.visits.note(request.params.id, caller.user.id).catch((error: unknown) => {
    request.log.warn({ err: error, document: request.params.id }, 'a visit could not be stored')
  })
  return { caller, access }
}

/**
 * The caller, if they may permanently delete the document: its owners, and operators if it is in the trash.
 * @throws RequestError as `requireAllowed`.
 */
export async function requireDeleter(request: DocumentRequest, deps: ApiDeps): Promise<PersonCaller> {
  const caller = await requireCaller(request, deps)
  const isOperator = caller.session !== undefined && (await deps.accounts?.admin.isOperator(caller.user.id))
  if (!isOperator) return (await requireAllowed(request, deps, 'manage')).caller
  const row = await deps.db
    .selectFrom('documents')
    .select('id')
    .where('id', '=', request.params.id)
    .where('trashed_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? caller : (await requireAllowed(request, deps, 'manage')).caller
}

/**
 * The caller and their access to the folder.
 * @throws RequestError `unauthenticated`, `not_found` (no such folder, or not shared with the caller) or `forbidden`.
 */
export async function requireFolder(
  request: DocumentRequest,
  deps: ApiDeps,
  need: Access,
): Promise<{ caller: PersonCaller; access: Access }> {
  const caller = await requireCaller(request, deps)
  const access = await deps.folderAccess(caller, request.params.id)
  if (!access) throw new RequestError('not_found', 'There is no such folder, or it is not shared with you.')
  if (allows(access, need)) return { caller, access }
  throw new RequestError('forbidden', 'You may see this folder, but not do that.', 'Ask its owner for more.')
}
