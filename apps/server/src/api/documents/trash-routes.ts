import { DeleteDocumentQuery, DocumentCount, DocumentSummary } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../../common/errors.ts'
import { createCallerQueue, type RunQueued } from '../requests/caller-queue.ts'
import { type ApiDeps, requireAccount, requireDeleter, requireDocument, requireFolder } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { summaryOf } from './document-routes.ts'

const Params = z.object({ id: z.string() })

/** Routes that move documents to the trash, restore them, and delete them permanently. */
export function trashRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const remove = route('Move a document to the trash, or delete it from there for good', {
    params: Params,
    querystring: DeleteDocumentQuery,
    204: z.null(),
  })
  const restore = route('Bring a document back from the trash', { params: Params, 200: DocumentSummary })
  const empty = route('Delete for good what the caller owns in the trash', { 200: DocumentCount })
  const emptying = createCallerQueue(1)
  return async (app) => {
    app.delete('/documents/:id', remove, async (request, reply) => {
      const { id } = request.params
      if (request.query.permanent) {
        const { user } = await requireDeleter(request, deps)
        await deps.trash.delete(id, { person: user.id, address: request.ip })
      } else {
        await requireDocument(request, deps, 'manage')
        await deps.documents.setTrashed(id, true)
      }
      return reply.status(204).send(null)
    })
    app.post('/documents/:id/restore', restore, async (request) => {
      const user = await requireDocument(request, deps, 'manage')
      await deps.documents.setTrashed(request.params.id, false)
      return summaryOf(deps, request.params.id, user.id)
    })
    app.delete('/trash', empty, async (request) => {
      const caller = await requireAccount(request, deps)
      // API keys never have `manage` access.
      if (caller.limit !== undefined) throw new RequestError('forbidden', 'Keys can’t delete documents.')
      const { id } = caller.user
      return emptying(id, async () => ({ documents: await deps.trash.empty({ person: id, address: request.ip }) }))
    })
  }
}

/** Routes that move folders to the trash and restore them; the caller's changes of folders run sequentially. */
export function folderTrashRoutes(deps: ApiDeps, runQueued: RunQueued): FastifyPluginAsyncZod {
  const counted = (summary: string) => route(summary, { params: Params, 200: DocumentCount })
  return async (app) => {
    app.delete('/folders/:id', counted('Move a folder to the trash with all that it holds'), async (request) => {
      const { caller } = await requireFolder(request, deps, 'manage')
      const { id } = request.params
      return runQueued(caller.user.id, async () => ({ documents: await deps.folderTrash.trash(id, caller) }))
    })
    app.post('/folders/:id/restore', counted('Bring a folder back from the trash'), async (request) => {
      const { caller } = await requireFolder(request, deps, 'manage')
      return runQueued(caller.user.id, async () => ({
        documents: await deps.folderTrash.restore(request.params.id, caller),
      }))
    })
  }
}
