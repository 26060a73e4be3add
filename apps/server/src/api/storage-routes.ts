import { ErrorBody, StorageReport } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reportStorage } from '../quotas/storage-report.ts'
import { requireOperator } from './account-context.ts'
import type { ApiDeps } from './context.ts'
import { createCallerQueue } from './caller-queue.ts'

// Each request adds up the growth of logs since the previous one.
const reportsPerPerson = 4

/** Stored sizes against the quotas, for operators. */
export function storageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const report = {
    schema: {
      summary: 'What is stored against the quotas (operator)',
      response: { 200: StorageReport, '4xx': ErrorBody },
    },
  }
  const inTurn = createCallerQueue(reportsPerPerson)
  return async (app) => {
    app.get('/storage', report, async (request) => {
      const { user } = await requireOperator(request, deps)
      return inTurn(user.id, () => reportStorage(deps.db, deps.storage, deps.now()))
    })
  }
}
