import { ErrorBody, Run, UndoRun } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiDeps, requireAllowed, stillAllowed } from './context.ts'
import { queueOfCallers } from './caller-queue.ts'

const undosPerPerson = 16

const summaries = {
  undo: 'Take back what a run has changed, or what one step of it has',
  redo: 'Put back what was undone of a run, or of one step of it',
}

/** Undo and redo of runs. Responds once the change is in the document and on disk. */
export function undoRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const options = (kind: 'undo' | 'redo') => ({
    schema: {
      summary: summaries[kind],
      params: z.object({ id: z.string(), run: z.string() }),
      body: UndoRun.nullish(),
      response: { 200: Run, '4xx': ErrorBody },
    },
  })
  // Logs are replayed one at a time for all callers.
  const inTurn = queueOfCallers(undosPerPerson, deps)
  return async (app) => {
    for (const kind of ['undo', 'redo'] as const) {
      app.post(`/documents/:id/runs/:run/${kind}`, options(kind), async (request) => {
        const { caller } = await requireAllowed(request, deps, 'write')
        const { id, run } = request.params
        const step = request.body?.step
        const check = stillAllowed(deps, caller, id, 'write')
        const wish = step === undefined ? { kind } : { kind, step }
        return inTurn(caller, id, 'write', () => deps.undo.change(id, run, wish, caller.user, check))
      })
    }
  }
}
