import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify'
import type { PersonCaller } from '../../auth/callers.ts'
import { orThrow } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import { requireSharing } from '../../rights/sharing.ts'
import { requireAgentOperator, requireOperator, requireSession } from './account-context.ts'
import {
  type ApiDeps,
  requireAccount,
  requireAllowed,
  requireCaller,
  requireDeleter,
  requireFolder,
  requireKey,
  findPerson,
} from './context.ts'
import { handleUnknownRoute } from './error-handler.ts'
import { type RouteRule, routeRules } from './route-rules.ts'

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * An `onRequest` hook: checks the minimum access of the route, from the route table, before any of the body is read.
 * The route checks requirements that depend on the body, and checks the access again after the body has arrived.
 */
export function admitBodies(deps: ApiDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (withoutBody.has(request.method)) return undefined
    if (request.is404) {
      handleUnknownRoute(request, reply)
      return reply
    }
    const caller = await admit(request, deps)
    if (caller) callers.set(request, caller)
    return undefined
  }
}

const callers = new WeakMap<FastifyRequest, PersonCaller>()

/** The caller that the hook admitted for this request. @throws Error for a route that needs no caller. */
export function admittedCaller(request: FastifyRequest): PersonCaller {
  const caller = callers.get(request)
  if (!caller) throw new Error('a request was handled without a caller')
  return caller
}

async function admit(request: FastifyRequest, deps: ApiDeps): Promise<PersonCaller | undefined> {
  // A route that is missing in the table (a test fails for it) needs a session or key.
  const rule: RouteRule = routeRules[`${request.method} ${request.routeOptions.url ?? ''}`] ?? { needs: 'caller' }
  const { needs, scope } = rule
  switch (needs) {
    case 'anybody':
      return undefined
    case 'caller':
      return requireCaller(request, deps, scope)
    case 'key':
      return requireKey(request, deps)
    case 'account':
      return requireAccount(request, deps, scope)
    case 'signed-in':
      return requireSession(request, deps)
    case 'operator':
      return requireOperator(request, deps)
    case 'agent-operator':
      return requireAgentOperator(request, deps)
    default: {
      const about = request as FastifyRequest<{ Params: { id: string } }>
      if (rule.noGuests) await requireAccount(request, deps, scope)
      if (scope) await requireCaller(request, deps, scope)
      if (rule.of === 'folder') return (await requireFolder(about, deps, needs === 'share' ? 'manage' : needs)).caller
      if (rule.orOperator) return requireDeleter(about, deps)
      const { caller, access } = await requireAllowed(about, deps, needs === 'share' ? 'write' : needs)
      if (needs === 'share') await requireSharing(access, { kind: 'document', id: about.params.id }, deps.db)
      return caller
    }
  }
}

/**
 * Routes for which the server writes to a document's logs on behalf of a person. `adds` needs the room of an edit.
 * `repairs` changes existing content (undo, decisions, restore) and has twice the quota, so that a run can be undone
 * when quotas are used up.
 */
const writing: Readonly<Record<string, 'adds' | 'repairs'>> = {
  'PATCH /api/documents/:id': 'adds',
  'POST /api/documents/:id/messages': 'adds',
  'POST /api/documents/:id/threads': 'adds',
  'POST /api/documents/:id/threads/:thread/comments': 'adds',
  'PATCH /api/documents/:id/threads/:thread/comments/:comment': 'adds',
  'PUT /api/documents/:id/threads/:thread/comments/:comment/reactions/:emoji': 'adds',
  'POST /api/documents/:id/changes': 'adds',
  'PATCH /api/documents/:id/threads/:thread': 'repairs',
  'POST /api/documents/:id/changes/:change': 'repairs',
  'POST /api/documents/:id/versions/:version/restore': 'repairs',
  'POST /api/documents/:id/runs/:run/continue': 'repairs',
  'POST /api/documents/:id/runs/:run/undo': 'repairs',
  'POST /api/documents/:id/runs/:run/redo': 'repairs',
}

/**
 * Refuses a request before its execution if a quota leaves no room for its writes. Only callers who may comment get
 * this error; other callers learn nothing about the document.
 */
export function refuseWithoutRoom(app: FastifyInstance, deps: Pick<ApiDeps, 'identify' | 'access' | 'storage'>): void {
  app.addHook('preHandler', async (request) => {
    const kind = writing[`${request.method} ${request.routeOptions.url ?? ''}`]
    if (kind === undefined || isOrganizing(request.body)) return
    const { id } = (request as FastifyRequest<{ Params: { id: string } }>).params
    const caller = await findPerson(request, deps)
    const access = caller && (await deps.access(caller, id))
    if (!access || !allows(access, 'comment')) return
    const isRepair = kind === 'repairs' || isDecision(request.body)
    orThrow(await deps.storage.logs.room(id, { actor: caller.user.id, run: null }, isRepair))
  })
}

// The same route creates suggestions and decides on all of them.
function isDecision(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'decision' in body
}

// Starring and moving a document write nothing into it.
function isOrganizing(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  if (['title', 'agentMode', 'font'].some((field) => field in body)) return false
  return 'starred' in body || 'folder' in body
}
