import type { Me, Run, User } from '@copydesk/protocol'
import type { FastifyRequest } from 'fastify'
import { type Access, allows } from '../access-level.ts'
import type { Accounts } from '../auth/accounts.ts'
import { type Caller, SESSION_COOKIE } from '../auth/callers.ts'
import type { TakeUpdate } from '../collaboration/update-intake.ts'
import { RequestError } from '../errors.ts'
import type { Services } from '../services.ts'

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
  | 'runs'
  | 'undo'
  | 'authorship'
  | 'log'
  | 'writer'
  | 'signals'
  | 'visits'
  | 'notifications'
  | 'access'
  | 'now'
  | 'createId'
> & {
  /** Undefined with AUTH=open. */
  accounts: Accounts | undefined
  agent: Me['agent']
  publicUrl: string
  takeUpdate: TakeUpdate
  /** Why the server can't serve right now; `undefined` if it can. */
  trouble: () => Promise<string | undefined>
}

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

/**
 * Who is calling, if it is a person or a program with their key, by bearer token or session cookie.
 * @throws RequestError `unauthenticated`; a run's token opens documents but calls no routes. `forbidden` if the key is for less than `need`.
 */
export async function requireCaller(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identify' | 'accounts'>,
  need: Access = 'read',
): Promise<Caller & { kind: 'person' }> {
  const credential = credentialOf(request)
  const caller = credential === undefined ? undefined : await deps.identify(credential)
  if (caller?.kind !== 'person') {
    throw new RequestError(
      'unauthenticated',
      credential === undefined ? 'You are not signed in.' : 'The session is not valid or has expired.',
      deps.accounts
        ? 'Sign in, or send a key as "Authorization: Bearer <key>".'
        : 'Get a session with POST /api/session and send its token as a cookie or as "Authorization: Bearer <token>".',
    )
  }
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
 * The person who is calling, if they may open the document.
 * @throws RequestError `unauthenticated`, `not_found` (no such document, or not theirs to see) or `forbidden`.
 */
export async function requireDocument(
  request: FastifyRequest<{ Params: { id: string } }>,
  deps: ApiDeps,
  need: Access,
): Promise<User> {
  const caller = await requireCaller(request, deps)
  const access = await deps.access(caller, request.params.id)
  if (!access) throw new RequestError('not_found', 'There is no such document, or it is not shared with you.')
  if (!allows(access, need)) {
    const cannot = need === 'write' ? 'change it' : 'comment on it or ask the agent'
    throw new RequestError('forbidden', `You may read this document but not ${cannot}.`, 'Ask its owner for more.')
  }
  await deps.visits.note(request.params.id, caller.user.id)
  return caller.user
}
