import { DecideCall, FileProposal, fileTools, Run } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../../common/errors.ts'
import { continueRun } from '../../runs/continue-run.ts'
import { decideCall } from '../../runs/decide-call.ts'
import { revokedError } from '../../agent/run-ending.ts'
import {
  type ApiDeps,
  failures,
  requireAllowed,
  requireDocument,
  requireMember,
  requireRun,
} from '../requests/context.ts'

const RunParams = z.object({ id: z.string(), run: z.string() })
const CallParams = RunParams.extend({ call: z.string() })

/** Routes for user decisions about runs: approving calls, and continuing a run after its limit or a failure. */
export function approvalRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(callRoutes(deps))
    await app.register(continueRoute(deps))
  }
}

function callRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const decide = {
    schema: {
      summary: 'Approve or reject a call that waits for it',
      params: CallParams,
      body: DecideCall,
      response: { 200: Run, ...failures },
    },
  }
  const file = {
    schema: {
      summary: 'What a call would change in a file of the project, or has changed',
      params: CallParams,
      response: { 200: FileProposal, ...failures },
    },
  }
  return async (app) => {
    app.post('/documents/:id/runs/:run/approvals/:call', decide, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'write')
      const { id: run, steps } = await requireRun(request.params, deps)
      const step = steps.find(({ id }) => id === request.params.call)
      if (step && fileTools.includes(step.tool)) {
        requireMember(caller)
        const { decision, arguments: given } = request.body
        if (decision === 'approve' && !step.approval) await deps.files.checkApproval(run, step, given)
      }
      const decided = await decideCall(deps.runs, {
        run,
        call: request.params.call,
        decision: request.body,
        by: caller.user,
        at: deps.now(),
      })
      if (!decided.ok) throw new RequestError(decided.code, decided.message, decided.hint)
      if (decided.run.status === 'queued') deps.signals.publish({ kind: 'run-queued', run })
      return decided.run
    })
    app.get('/documents/:id/runs/:run/files/:call', file, async (request) => {
      requireMember((await requireAllowed(request, deps, 'write')).caller)
      const { id: run } = await requireRun(request.params, deps)
      return deps.files.show(run, request.params.call)
    })
  }
}

function continueRoute(deps: ApiDeps): FastifyPluginAsyncZod {
  const goOn = {
    schema: {
      summary: 'Continue a run that reached its limit, with as many rounds again, or retry a failed run',
      params: RunParams,
      response: { 200: Run, ...failures },
    },
  }
  return async (app) => {
    app.post('/documents/:id/runs/:run/continue', goOn, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'comment')
      const run = await requireRun(request.params, deps)
      // The run continues with the rights, and at the cost, of the user who started it.
      if (caller.user.id !== run.invokedBy.id) await requireDocument(request, deps, 'write')
      await requireCredential(run.id, caller.apiKey, deps)
      const continued = await continueRun(deps.runs, run.id)
      if (!continued) {
        const message = 'Only a run that has reached its limit or failed, and was not undone, can be continued.'
        throw new RequestError('conflict', message, 'Ask the agent again in the chat.')
      }
      deps.signals.publish({ kind: 'run-queued', run: run.id })
      return continued
    })
  }
}

/**
 * Checks that the credential a run was started with is still valid, and that a calling API key is the one that started
 * it: the run may have more access than the key, and would outlive it.
 * @throws RequestError `forbidden`.
 */
async function requireCredential(id: string, apiKey: string | undefined, deps: ApiDeps): Promise<void> {
  const row = await deps.runs.findRow(id)
  if (apiKey !== undefined && row?.api_key !== apiKey) {
    throw new RequestError('forbidden', 'This run was not started with this key.', 'Ask the agent again with the key.')
  }
  if (row && (await deps.runAccess(row)) !== undefined) return
  throw new RequestError('forbidden', revokedError.message, 'Ask the agent again.')
}
