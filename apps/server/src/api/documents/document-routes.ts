import {
  Authorship,
  AuthorshipQuery,
  ChangesView,
  CreateDocument,
  DocumentList,
  DocumentSummary,
  ExportFormat,
  ListDocumentsQuery,
  PatchDocument,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../../common/errors.ts'
import {
  type ApiDeps,
  failures,
  requireAccount,
  requireAllowed,
  requireDocument,
  requirePerson,
  stillAllowed,
} from '../requests/context.ts'
import { createCallerQueue, type InTurn, queueOfCallers } from '../requests/caller-queue.ts'

const Params = z.object({ id: z.string() })
const contentTypes: Record<ExportFormat, string> = {
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

// Each waiting request may hold its body in memory.
const conversionsPerPerson = 16
const searchesPerPerson = 16

/** Routes for documents: list, create, read, change, delete, export. */
export function documentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  // All conversions share one thread.
  const inTurn = createCallerQueue(conversionsPerPerson)
  return async (app) => {
    await app.register(listRoutes(deps, inTurn))
    await app.register(changeRoutes(deps))
    await app.register(exportRoute(deps, inTurn))
  }
}

async function summaryOf(deps: ApiDeps, id: string, caller: string): Promise<DocumentSummary> {
  const found = await deps.documents.find(id, caller)
  if (!found) throw new RequestError('not_found', 'There is no such document, or it is not shared with you.')
  return found
}

function listRoutes(deps: ApiDeps, inTurn: InTurn): FastifyPluginAsyncZod {
  const create = {
    schema: {
      summary: 'Create a document',
      body: CreateDocument,
      response: { 201: DocumentSummary, ...failures },
    },
  }
  const list = {
    schema: {
      summary: 'List documents, most recently changed first',
      querystring: ListDocumentsQuery,
      response: { 200: DocumentList, ...failures },
    },
  }
  return async (app) => {
    app.post('/documents', create, async (request, reply) => {
      const { user } = await requireAccount(request, deps, 'write')
      const created = await inTurn(user.id, () => deps.documents.create(user.id, request.body))
      await deps.visits.note(created.id, user.id)
      return reply.status(201).send(created)
    })
    // A search reads every text and blocks the store meanwhile.
    const inSearch = createCallerQueue(searchesPerPerson)
    app.get('/documents', list, async (request) => {
      const { id } = await requirePerson(request, deps)
      const find = () => deps.documents.list(id, request.query)
      return request.query.query === undefined ? find() : inSearch(id, find)
    })
  }
}

function changeRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const one = (summary: string) => ({
    schema: { summary, params: Params, response: { 200: DocumentSummary, ...failures } },
  })
  const patch = {
    schema: { ...one('Rename a document, or set its font or how its agent changes it').schema, body: PatchDocument },
  }
  const remove = {
    schema: { summary: 'Move a document to the trash', params: Params, response: { 204: z.null(), ...failures } },
  }
  return async (app) => {
    app.get('/documents/:id', one('One document'), async (request) =>
      summaryOf(deps, request.params.id, (await requireDocument(request, deps, 'read')).id),
    )
    app.patch('/documents/:id', patch, async (request) => {
      const user = await requireDocument(request, deps, 'write')
      await deps.documents.patch(request.params.id, user.id, request.body)
      return summaryOf(deps, request.params.id, user.id)
    })
    app.delete('/documents/:id', remove, async (request, reply) => {
      await requireDocument(request, deps, 'manage')
      await deps.documents.setTrashed(request.params.id, true)
      return reply.status(204).send(null)
    })
    app.post('/documents/:id/restore', one('Bring a document back from the trash'), async (request) => {
      const user = await requireDocument(request, deps, 'manage')
      await deps.documents.setTrashed(request.params.id, false)
      return summaryOf(deps, request.params.id, user.id)
    })
  }
}

function exportRoute(deps: ApiDeps, inTurn: InTurn): FastifyPluginAsyncZod {
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
      const body = await inTurn(caller.user.id, async () => {
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

/** The route that returns who wrote which part of a document. */
export function authorshipRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const read = {
    schema: {
      summary: 'Who wrote which part of the text',
      description:
        'As ranges of ProseMirror positions at the state of stateVector or, with by=ids, as ranges of Yjs ids.',
      params: z.object({ id: z.string() }),
      querystring: AuthorshipQuery,
      response: { 200: Authorship, ...failures },
    },
  }
  const inTurn = queueOfCallers(readingsPerPerson, deps)
  return async (app) => {
    app.get('/documents/:id/authorship', read, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      return inTurn(caller, id, 'read', () => deps.authorship.read(id, request.query.by))
    })
  }
}
