import { Readable } from 'node:stream'
import { AuditQuery } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { recordAuditEvent, toCsv, toJsonLines } from '../../audit/audit.ts'
import { readableTitles } from '../../documents/document-list.ts'
import { requireOperator } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { namesInEntries } from './audit-names.ts'

const files = {
  jsonl: { type: 'application/jsonl; charset=utf-8', write: toJsonLines },
  csv: { type: 'text/csv; charset=utf-8', write: toCsv },
} as const

/** The audit log, for operators only; without accounts there are no operators. */
export function auditRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const read = {
    schema: {
      summary: 'Who did what (operator)',
      description: 'Newest first. With `format` all of it as a file, newest first too.',
      tags: ['Operators'],
      querystring: AuditQuery,
    },
  }
  return async (app) => {
    app.get('/audit', read, async (request, reply) => {
      const { user } = await requireOperator(request, deps)
      const { cursor, format, ...filter } = request.query
      if (format === undefined) {
        const page = await deps.audit.list(filter, cursor)
        const documents = page.entries.map(({ document }) => document)
        const [titles, names] = await Promise.all([
          readableTitles(deps, user.id, documents),
          namesInEntries(deps, user.id, page.entries),
        ])
        return { ...page, titles, names }
      }
      await recordAuditEvent(deps.db, {
        at: deps.now(),
        actor: user.id,
        action: 'audit-exported',
        address: request.ip,
        details: { format, ...filter },
      })
      const { type, write } = files[format]
      reply.header('content-type', type).header('content-disposition', `attachment; filename="audit.${format}"`)
      return reply.send(Readable.from(write(deps.audit.all(filter))))
    })
  }
}
