import type { FastifyInstance, FastifyRequest } from 'fastify'
import { orThrow } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import { type ApiDeps, findPerson } from './context.ts'

/**
 * Routes under which the server writes to a document's logs for a person. `adds` needs the room of an edit. `repairs`
 * changes what exists (undo, decisions, restore) and has twice the quota, so that used-up quotas do not prevent undoing
 * a run.
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
 * Refuses a request before it runs if a quota leaves no room for its writes. Only callers who may comment get this
 * error; it tells others nothing about the document.
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

// One route accepts both new suggestions and decisions on all of them.
function isDecision(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'decision' in body
}

// Starring and moving a document write nothing into it.
function isOrganizing(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  if (['title', 'agentMode', 'font'].some((field) => field in body)) return false
  return 'starred' in body || 'folder' in body
}
