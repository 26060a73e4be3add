import { type Access, CreateFolder, Folder, FolderList, MoveEffect, MoveQuery, PatchFolder } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { recordAuditEvent } from '../../audit/audit.ts'
import type { PersonCaller } from '../../auth/callers.ts'
import { RequestError } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import { createCallerQueue, type RunQueued } from '../requests/caller-queue.ts'
import { type ApiDeps, requireAccount, requireFolder } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { itemMemberRoutes } from './member-routes.ts'
import { folderTrashRoutes } from './trash-routes.ts'

const Params = z.object({ id: z.string() })
// Each change may read the roles in all contents of a folder.
const changesPerPerson = 16

export function folderRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const runQueued = createCallerQueue(changesPerPerson)
  const list = route('The folders that the caller may see', { 200: FolderList })
  const create = route('Create a folder', { body: CreateFolder, 201: Folder })
  const patch = route('Rename or move a folder, or set which roles it takes over from the one around it', {
    description:
      'A move that changes the access of others needs `confirm: true`. The answer is empty if the caller loses access by it.',
    params: Params,
    body: PatchFolder,
    200: z.union([Folder, z.object({})]),
  })
  return async (app) => {
    await app.register(itemMemberRoutes('folder', deps))
    await app.register(folderMoveRoutes(deps, runQueued))
    await app.register(folderTrashRoutes(deps, runQueued))
    app.get('/folders', list, async (request) => {
      const { user } = await requireAccount(request, deps)
      return runQueued(user.id, async () => ({ folders: await deps.folders.list(user.id) }))
    })
    app.post('/folders', create, async (request, reply) => {
      const caller = await requireAccount(request, deps, 'write')
      return reply.status(201).send(await runQueued(caller.user.id, () => deps.folders.create(caller, request.body)))
    })
    app.patch('/folders/:id', patch, async (request) => {
      const { caller } = await requireFolder(request, deps, needOf(request.body))
      const { id } = request.params
      await runQueued(caller.user.id, () => change(deps, caller, request))
      // A move may have removed the caller's own access.
      return (await deps.folderAccess(caller, id)) ? deps.folders.read(id, caller.user.id) : {}
    })
  }
}

function folderMoveRoutes(deps: ApiDeps, runQueued: RunQueued): FastifyPluginAsyncZod {
  const preview = route('Whose access a move of the folder would change', {
    params: Params,
    querystring: MoveQuery,
    200: MoveEffect,
  })
  return async (app) => {
    app.get('/folders/:id/move', preview, async (request) => {
      const { caller } = await requireFolder(request, deps, 'manage')
      const to = request.query.to === 'none' ? null : request.query.to
      const item = { kind: 'folder', id: request.params.id } as const
      return runQueued(caller.user.id, () => deps.moves.effectOf(item, to, caller))
    })
  }
}

/** The right for a change. */
function needOf({ parent, inherits }: PatchFolder): Access {
  return parent === undefined && inherits === undefined ? 'write' : 'manage'
}

type Change = { params: { id: string }; body: PatchFolder; ip: string }

async function change(deps: ApiDeps, caller: PersonCaller, { params: { id }, body, ip }: Change): Promise<void> {
  const { name, parent, inherits, confirm = false } = body
  const announcements = await deps.db.transaction().execute(async (trx) => {
    if (!allows(await deps.folderAccess(caller, id, trx), needOf(body))) {
      throw new RequestError('forbidden', 'You may not change this folder any more.', 'Ask its owner for more.')
    }
    if (name !== undefined) await deps.folders.renameIn(trx, id, name)
    const after: (() => void)[] = []
    if (inherits !== undefined) after.push((await deps.moves.inheritIn(trx, id, inherits)).after)
    if (parent !== undefined) {
      const item = { kind: 'folder', id } as const
      after.push((await deps.moves.moveIn(trx, item, { to: parent, confirm, caller })).after)
    }
    const event = { at: deps.now(), actor: caller.user.id, action: 'folder-changed' as const, address: ip }
    // Names of folders are not recorded.
    await recordAuditEvent(trx, { ...event, target: id, details: { parent, inherits } })
    return after
  })
  for (const announce of announcements) announce()
}
