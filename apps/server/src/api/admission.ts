import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../auth/callers.ts'
import { requireSharing } from '../rights/sharing.ts'
import { requireOperator, requireSession } from './account-context.ts'
import { type ApiDeps, requireAccount, requireAllowed, requireCaller } from './context.ts'
import { handleUnknownRoute } from './error-handler.ts'
import { routeRules } from './role-table.ts'

type PersonCalling = Extract<Caller, { kind: 'person' }>

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Decides by the table of routes whether who is calling may do what the route needs at least, before anything of the
 * body is read: a hook for `onRequest`. What needs more by what the body says, and whether that still holds when it has
 * come, is the route's own to look at.
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

const callers = new WeakMap<FastifyRequest, PersonCalling>()

/** Who was let in with this request. @throws for a route that anybody may call. */
export function admittedCaller(request: FastifyRequest): PersonCalling {
  const caller = callers.get(request)
  if (!caller) throw new Error('a request was taken that nobody was let in with')
  return caller
}

async function admit(request: FastifyRequest, deps: ApiDeps): Promise<PersonCalling | undefined> {
  // A route that isn't in the table, which a test refuses, is open to nobody without a session.
  const { needs, scope } = routeRules[`${request.method} ${request.routeOptions.url ?? ''}`] ?? { needs: 'caller' }
  switch (needs) {
    case 'anybody':
      return undefined
    case 'caller':
      return requireCaller(request, deps, scope)
    case 'account':
      return requireAccount(request, deps, scope)
    case 'signed-in':
      return requireSession(request, deps)
    case 'operator':
      return requireOperator(request, deps)
    default: {
      const about = request as FastifyRequest<{ Params: { id: string } }>
      const { caller, access } = await requireAllowed(about, deps, needs === 'share' ? 'write' : needs)
      if (needs === 'share') await requireSharing(access, about.params.id, deps.db)
      return caller
    }
  }
}
