import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allows } from '../access-level.ts'
import { orThrow } from '../review/refusal.ts'
import { type ApiDeps, findPerson } from './context.ts'

/**
 * Routes under which the server writes to a document's logs for a person. `adds`: needs room like an edit. `repairs`:
 * puts something right that is there already, for which twice as much room is left; nobody is kept from taking back
 * what a run has done by what they wrote today.
 */
const writing: Readonly<Record<string, 'adds' | 'repairs'>> = {
  'PATCH /api/documents/:id': 'adds',
  'POST /api/documents/:id/messages': 'adds',
  'POST /api/documents/:id/threads': 'adds',
  'POST /api/documents/:id/threads/:thread/comments': 'adds',
  'POST /api/documents/:id/changes': 'adds',
  'PATCH /api/documents/:id/threads/:thread': 'repairs',
  'POST /api/documents/:id/changes/:change': 'repairs',
  'POST /api/documents/:id/versions/:version/restore': 'repairs',
  'POST /api/documents/:id/runs/:run/continue': 'repairs',
  'POST /api/documents/:id/runs/:run/undo': 'repairs',
  'POST /api/documents/:id/runs/:run/redo': 'repairs',
}

/**
 * Refuses, before anything is done, what the server has no room to write; only to who may read the document: others
 * hear nothing of it.
 */
export function refuseWithoutRoom(app: FastifyInstance, deps: Pick<ApiDeps, 'identify' | 'access' | 'storage'>): void {
  app.addHook('preHandler', async (request) => {
    const kind = writing[`${request.method} ${request.routeOptions.url ?? ''}`]
    if (kind === undefined) return
    const { id } = (request as FastifyRequest<{ Params: { id: string } }>).params
    const caller = await findPerson(request, deps)
    const access = caller && (await deps.access(caller, id))
    if (!access || !allows(access, 'comment')) return
    const isRepair = kind === 'repairs' || isDecision(request.body)
    orThrow(await deps.storage.logs.room(id, { actor: caller.user.id, run: null }, isRepair))
  })
}

// One address takes suggestions and decisions on all of them.
function isDecision(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'decision' in body
}
