import {
  CreateDocument,
  DocumentList,
  DocumentSummary,
  ErrorBody,
  ExportFormat,
  ListDocumentsQuery,
  PatchDocument,
} from '@copydesk/protocol'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { StoredContent } from '../documents/document-store.ts'
import { RequestError } from '../errors.ts'
import { type ApiDeps, requireDocument, requirePerson } from './context.ts'

const Params = z.object({ id: z.string() })
const failures = { '4xx': ErrorBody }

/** Documents: the list, one, its content as a file. */
export function documentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const summaryOf = async (id: string, caller: string): Promise<DocumentSummary> => {
    const found = await deps.documents.find(id, caller)
    if (!found) throw new RequestError('not_found', 'There is no such document, or it is not shared with you.')
    return found
  }

  return async (app) => {
    app.post(
      '/documents',
      {
        schema: {
          summary: 'Create a document',
          body: CreateDocument,
          response: { 201: DocumentSummary, ...failures },
        },
      },
      async (request, reply) => {
        const user = await requirePerson(request, deps)
        return reply.status(201).send(await deps.documents.create(user.id, request.body))
      },
    )

    app.get(
      '/documents',
      {
        schema: {
          summary: 'List documents, the last changed first',
          querystring: ListDocumentsQuery,
          response: { 200: DocumentList, ...failures },
        },
      },
      async (request) => deps.documents.list((await requirePerson(request, deps)).id, request.query),
    )

    app.get(
      '/documents/:id',
      { schema: { summary: 'One document', params: Params, response: { 200: DocumentSummary, ...failures } } },
      async (request) => summaryOf(request.params.id, (await requireDocument(request, deps, 'read')).id),
    )

    app.patch(
      '/documents/:id',
      {
        schema: {
          summary: 'Rename a document, or set how its agent changes it',
          params: Params,
          body: PatchDocument,
          response: { 200: DocumentSummary, ...failures },
        },
      },
      async (request) => {
        const user = await requireDocument(request, deps, 'write')
        await deps.documents.patch(request.params.id, user.id, request.body)
        return summaryOf(request.params.id, user.id)
      },
    )

    app.delete(
      '/documents/:id',
      { schema: { summary: 'Move a document to the trash', params: Params, response: { 204: z.null(), ...failures } } },
      async (request, reply) => {
        await requireDocument(request, deps, 'write')
        await deps.documents.setTrashed(request.params.id, true)
        return reply.status(204).send(null)
      },
    )

    app.post(
      '/documents/:id/restore',
      {
        schema: {
          summary: 'Bring a document back from the trash',
          params: Params,
          response: { 200: DocumentSummary, ...failures },
        },
      },
      async (request) => {
        const user = await requireDocument(request, deps, 'write')
        await deps.documents.setTrashed(request.params.id, false)
        return summaryOf(request.params.id, user.id)
      },
    )

    app.get(
      '/documents/:id/export',
      {
        schema: {
          summary: 'The text of a document: bare markdown or the bare ProseMirror document',
          params: Params,
          querystring: z.object({ format: ExportFormat.default('markdown') }),
        },
      },
      async (request, reply) => {
        await requireDocument(request, deps, 'read')
        const content = await deps.documents.read(request.params.id)
        if (!content) throw new RequestError('not_found', 'There is no such document.')
        const { type, body } = render(content, request.query.format)
        return reply.header('content-type', type).send(body)
      },
    )
  }
}

function render({ doc, frontmatter }: StoredContent, format: ExportFormat): { type: string; body: string } {
  switch (format) {
    case 'markdown':
      return { type: 'text/markdown; charset=utf-8', body: serializeMarkdown(doc, frontmatter) }
    case 'json':
      return { type: 'application/json; charset=utf-8', body: JSON.stringify(doc.toJSON()) }
  }
}
