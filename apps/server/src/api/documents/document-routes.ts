import {
  type Access,
  Authorship,
  AuthorshipQuery,
  ChangesView,
  CreateDocument,
  DocumentList,
  DocumentSummary,
  DuplicateDocument,
  ExportFormat,
  type Inherits,
  ListDocumentsQuery,
  MoveEffect,
  MoveQuery,
  PatchDocument,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { recordAuditEvent } from '../../audit/audit.ts'
import type { PersonCaller } from '../../auth/callers.ts'
import { RequestError } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import type { NewPlace } from '../../documents/document-store.ts'
import type { Tables } from '../../store/tables.ts'
import {
  type ApiDeps,
  requireAccount,
  requireAllowed,
  requireDocument,
  requirePerson,
  stillAllowed,
} from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { createCallerQueue, type RunQueued, queueOfCallers } from '../requests/caller-queue.ts'

const Params = z.object({ id: z.string() })
const contentTypes: Record<ExportFormat, string> = {
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

// Each waiting request may hold its body in memory.
const conversionsPerPerson = 16
const listsPerPerson = 16

/** Routes for documents: list, create, read, change, copy, export. */
export function documentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  // All conversions share one thread.
  const runQueued = createCallerQueue(conversionsPerPerson)
  return async (app) => {
    await app.register(listRoutes(deps, runQueued))
    await app.register(changeRoutes(deps, runQueued))
    await app.register(exportRoute(deps, runQueued))
  }
}

/** A document as its caller sees it. @throws RequestError `not_found`. */
export async function summaryOf(deps: ApiDeps, id: string, caller: string): Promise<DocumentSummary> {
  const found = await deps.documents.find(id, caller)
  if (!found) throw new RequestError('not_found', 'There is no such document, or it is not shared with you.')
  return found
}

function listRoutes(deps: ApiDeps, runQueued: RunQueued): FastifyPluginAsyncZod {
  const create = route('Create a document', { body: CreateDocument, 201: DocumentSummary })
  const list = route('List or search documents', { querystring: ListDocumentsQuery, 200: DocumentList })
  return async (app) => {
    app.post('/documents', create, async (request, reply) => {
      const caller = await requireAccount(request, deps, 'write')
      const { user } = caller
      const { folder = null, ...content } = request.body
      const created = await runQueued(user.id, () =>
        deps.documents.create(user.id, content, placeIn(deps, caller, folder)),
      )
      await deps.visits.note(created.id, user.id)
      return reply.status(201).send(await summaryOf(deps, created.id, user.id))
    })
    // A search reads every text and blocks the store meanwhile; other lists may read all rows of documents.
    const listing = createCallerQueue(listsPerPerson)
    app.get('/documents', list, async (request) => {
      const { id } = await requirePerson(request, deps)
      return listing(id, () => deps.documents.list(id, request.query))
    })
  }
}

function changeRoutes(deps: ApiDeps, runQueued: RunQueued): FastifyPluginAsyncZod {
  const patch = route('Rename a document, set its font or how its agent changes it, move it to a folder, or star it', {
    description:
      'A move that changes the access of others needs `confirm: true`. The answer is empty if the caller loses access by it.',
    params: Params,
    body: PatchDocument,
    200: z.union([DocumentSummary, z.object({})]),
  })
  const duplicate = route('Copy a document as it is now, without comments and suggested changes', {
    params: Params,
    body: DuplicateDocument.nullish(),
    201: DocumentSummary,
  })
  const preview = route('Whose access a move of the document would change', {
    params: Params,
    querystring: MoveQuery,
    200: MoveEffect,
  })
  return async (app) => {
    app.get('/documents/:id', route('One document', { params: Params, 200: DocumentSummary }), async (request) =>
      summaryOf(deps, request.params.id, (await requireDocument(request, deps, 'read')).id),
    )
    app.patch('/documents/:id', patch, async (request) => {
      const { caller } = await requireAllowed(request, deps, needOf(request.body))
      await change(deps, caller, request)
      // A move may have removed the caller's own access.
      return (await deps.documents.find(request.params.id, caller.user.id)) ?? {}
    })
    app.get('/documents/:id/move', preview, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'manage')
      const to = request.query.to === 'none' ? null : request.query.to
      return deps.moves.effectOf({ kind: 'document', id: request.params.id }, to, caller)
    })
    app.post('/documents/:id/duplicate', duplicate, async (request, reply) => {
      const caller = await requireAccount(request, deps, 'write')
      const { id } = request.params
      await requireAllowed(request, deps, 'read')
      const copied = await runQueued(caller.user.id, async () => {
        await stillAllowed(deps, caller, id, 'read')()
        return copyDocument(deps, caller, id, request.body ?? {})
      })
      await deps.visits.note(copied.id, caller.user.id)
      return reply.status(201).send(await summaryOf(deps, copied.id, caller.user.id))
    })
  }
}

/** The right for a change. */
function needOf({ title, agentMode, font, folder }: PatchDocument): Access {
  if (folder !== undefined) return 'manage'
  return [title, agentMode, font].some((each) => each !== undefined) ? 'write' : 'read'
}

type Change = { params: { id: string }; body: PatchDocument; ip: string }

async function change(deps: ApiDeps, caller: PersonCaller, { params: { id }, body, ip }: Change): Promise<void> {
  const { title, agentMode, font, folder, starred, confirm = false } = body
  if (folder !== undefined) {
    const { after } = await deps.db.transaction().execute(async (trx) => {
      await stillAllowed(deps, caller, id, 'manage')(trx)
      const moved = await deps.moves.moveIn(trx, { kind: 'document', id }, { to: folder, confirm, caller })
      await requireAccessAfterMove(deps, caller, id, body, trx)
      const event = { at: deps.now(), actor: caller.user.id, action: 'document-moved' as const, address: ip }
      await recordAuditEvent(trx, { ...event, document: id, details: { folder } })
      return moved
    })
    after()
  }
  await deps.documents.patch(id, caller.user.id, { title, agentMode, font })
  if (starred !== undefined) await deps.documents.setStarred(id, caller.user.id, starred)
}

/** Checks that a caller may still make the other changes of a patch after its move. @throws RequestError `conflict`. */
async function requireAccessAfterMove(
  deps: ApiDeps,
  caller: PersonCaller,
  id: string,
  { title, agentMode, font, starred }: PatchDocument,
  trx: Transaction<Tables>,
): Promise<void> {
  const others = { title, agentMode, font, starred }
  if (Object.values(others).every((each) => each === undefined)) return
  const access = await deps.access(caller, id, trx)
  if (access && allows(access, needOf(others))) return
  throw new RequestError(
    'conflict',
    'After this move you may not change the document.',
    'Change it first, then move it.',
  )
}

async function copyDocument(
  deps: ApiDeps,
  caller: PersonCaller,
  id: string,
  { title, folder }: DuplicateDocument,
): Promise<DocumentSummary> {
  const { user } = caller
  const original = await summaryOf(deps, id, user.id)
  const target = folder === undefined ? await folderBeside(deps, caller, original.folder) : folder
  return deps.documents.copy(id, user.id, {
    title,
    place: placeIn(deps, caller, target, original.inherits),
    keepImages: (copy, names) => deps.images.share(id, copy, names, user.id),
    dropImages: (copy) => deps.images.removeAll(copy),
  })
}

/**
 * The folder of a copy: that of its original, or null if the caller may not write there or the folder is in the trash.
 */
async function folderBeside({ db, folderAccess }: ApiDeps, caller: PersonCaller, folder: string | null) {
  if (folder === null || !allows(await folderAccess(caller, folder), 'write')) return null
  const kept = db.selectFrom('folders').select('id').where('id', '=', folder).where('trashed_at', 'is', null)
  return (await kept.executeTakeFirst())?.id ?? null
}

function placeIn(
  { checkTarget }: ApiDeps,
  caller: PersonCaller,
  folder: string | null,
  inherits: Inherits = 'owner',
): NewPlace {
  return { folder, inherits, check: (trx) => checkTarget(trx, folder, caller) }
}

function exportRoute(deps: ApiDeps, runQueued: RunQueued): FastifyPluginAsyncZod {
  const options = {
    schema: {
      summary: 'The text of a document as plain markdown, HTML or ProseMirror JSON, without an envelope',
      params: Params,
      querystring: z.object({ format: ExportFormat.default('markdown'), changes: ChangesView.default('original') }),
    },
  }
  return async (app) => {
    app.get('/documents/:id/export', options, async (request, reply) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      const { format, changes } = request.query
      const body = await runQueued(caller.user.id, async () => {
        await stillAllowed(deps, caller, id, 'read')()
        return deps.documents.render(id, format, changes)
      })
      if (body === undefined) throw new RequestError('not_found', 'There is no such document.')
      // User content must never run as a page of this origin, however it is opened.
      reply.header('content-security-policy', 'sandbox').header('content-type', contentTypes[format])
      return reply.send(body)
    })
  }
}

const readingsPerPerson = 16

/** The route that returns the author of each part of a document. */
export function authorshipRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const read = route('Who wrote which part of the text', {
    description:
      'As ranges of ProseMirror positions at the state of stateVector or, with by=ids, as ranges of Yjs ids.',
    params: z.object({ id: z.string() }),
    querystring: AuthorshipQuery,
    200: Authorship,
  })
  const runQueued = queueOfCallers(readingsPerPerson, deps)
  return async (app) => {
    app.get('/documents/:id/authorship', read, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      return runQueued(caller, id, 'read', () => deps.authorship.read(id, request.query.by))
    })
  }
}
