import {
  ConversationId,
  DecideCall,
  FileProposal,
  fileTools,
  isFinal,
  MessageList,
  PostedMessage,
  PostMessage,
  Run,
  RunList,
  UndoRun,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { orThrow, RequestError } from '../../common/errors.ts'
import type { RestoreFiles } from '../../history/run-undo.ts'
import { publishNotified } from '../../notifications/notifications.ts'
import { revokedError } from '../../agent/run-ending.ts'
import { stopAndWait } from '../../agent/stop-run.ts'
import { allows } from '../../common/identity.ts'
import { continueRun } from '../../runs/continue-run.ts'
import { decideCall } from '../../runs/decide-call.ts'
import {
  type ApiDeps,
  requireAllowed,
  requireDocument,
  requireMember,
  requireRun,
  stillAllowed,
} from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { queueOfCallers } from '../requests/caller-queue.ts'
import { readSelection } from './change-routes.ts'

const Params = z.object({ id: z.string() })
const RunParams = Params.extend({ run: z.string() })
const CallParams = RunParams.extend({ call: z.string() })

/** Routes for the conversation with the agent, and for its runs. */
export function agentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    for (const routes of [messageRoutes, runRoutes, callRoutes, continueRoute]) await app.register(routes(deps))
  }
}

function messageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const post = route('Ask the agent in the chat', { params: Params, body: PostMessage, 202: PostedMessage })
  const list = route('The chat, oldest first', {
    params: Params,
    querystring: z.object({ before: z.string().optional(), conversation: ConversationId.optional() }),
    200: MessageList,
  })
  return async (app) => {
    app.post('/documents/:id/messages', post, async (request, reply) => {
      const { caller, access } = await requireAllowed(request, deps, 'comment')
      const { user } = caller
      const { text, selection, mode, mentions, conversation } = request.body
      readSelection(selection)
      const document = await deps.documents.find(request.params.id, user.id)
      const started = await deps.runs.startFromChat({
        document: request.params.id,
        instruction: text,
        invokedBy: user,
        credential: { access, apiKey: caller.apiKey ?? null },
        // For a user without write access the agent always suggests, whatever mode is requested.
        mode: allows(access, 'write') ? (mode ?? document?.agentMode ?? 'edit') : 'suggest',
        ...(selection ? { selection } : {}),
        ...(mentions ? { mentions } : {}),
        ...(conversation === undefined ? {} : { conversation }),
      })
      deps.signals.publish({ kind: 'run-queued', run: started.run.id })
      publishNotified(deps.signals, started.message.mentions?.map((person) => person.id) ?? [])
      return reply.status(202).send(started)
    })
    app.get('/documents/:id/messages', list, async (request) => {
      await requireDocument(request, deps, 'read')
      return { messages: await deps.runs.messages(request.params.id, request.query) }
    })
  }
}

function runRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = route('Runs, newest first', { params: Params, 200: RunList })
  const one = (summary: string) => route(summary, { params: RunParams, 200: Run })
  return async (app) => {
    app.get('/documents/:id/runs', list, async (request) => {
      await requireDocument(request, deps, 'read')
      return { runs: await deps.runs.list(request.params.id) }
    })
    app.get('/documents/:id/runs/:run', one('One run with its steps and usage'), async (request) => {
      await requireDocument(request, deps, 'read')
      return requireRun(request.params, deps)
    })
    app.post('/documents/:id/runs/:run/stop', one('Stop a run'), async (request) => {
      await requireDocument(request, deps, 'comment')
      const run = await requireRun(request.params, deps)
      if (isFinal(run.status)) return run
      return (await stopAndWait(run, deps)) ?? run
    })
  }
}

/** Routes for user decisions about the calls of a run, and for the files that these calls would change. */
function callRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const decide = route('Approve or reject a call that waits for it', { params: CallParams, body: DecideCall, 200: Run })
  const file = route('What a call would change in a file of the project, or has changed', {
    params: CallParams,
    200: FileProposal,
  })
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
      const asked = { run, call: request.params.call, decision: request.body, by: caller.user, at: deps.now() }
      const decided = orThrow(await decideCall(deps.runs, asked))
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
  const continuation = route(
    'Continue a run that reached its limit, with as many rounds again, or retry a failed run',
    {
      params: RunParams,
      200: Run,
    },
  )
  return async (app) => {
    app.post('/documents/:id/runs/:run/continue', continuation, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'comment')
      const run = await requireRun(request.params, deps)
      // The run continues with the rights, and at the cost, of the user who started it.
      if (caller.user.id !== run.invokedBy.id) await requireDocument(request, deps, 'write')
      await requireCredential(run.id, caller.apiKey, deps)
      await requireBudget(run.id, deps)
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
 * Checks that the credential with which a run was started is still valid, and that a calling API key is the key that
 * started the run: the run may have more access than the key, and would outlive it.
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

const undosPerPerson = 16

const summaries = {
  undo: 'Undo what a run, or one of its steps, has changed',
  redo: 'Redo what was undone of a run, or of one of its steps',
}

/** Routes for undo and redo of runs. They respond when the change is in the document and on disk. */
export function undoRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const options = (kind: 'undo' | 'redo') =>
    route(summaries[kind], { params: z.object({ id: z.string(), run: z.string() }), body: UndoRun.nullish(), 200: Run })
  // Logs are replayed one at a time for all callers.
  const runQueued = queueOfCallers(undosPerPerson, deps)
  return async (app) => {
    for (const kind of ['undo', 'redo'] as const) {
      app.post(`/documents/:id/runs/:run/${kind}`, options(kind), async (request) => {
        const { caller } = await requireAllowed(request, deps, 'write')
        const { id, run } = request.params
        const step = request.body?.step
        const check = stillAllowed(deps, caller, id, 'write')
        const undoOptions = step === undefined ? { kind } : { kind, step }
        const restore: RestoreFiles = (trx, restored) => {
          requireMember(caller)
          return deps.files.restore(trx, restored)
        }
        return runQueued(caller, id, 'write', () => deps.undo.change(id, run, undoOptions, caller.user, check, restore))
      })
    }
  }
}

/** @throws RequestError `budget_exceeded` for an ended run while a budget of today is used up. */
async function requireBudget(id: string, { runs, budgets }: ApiDeps): Promise<void> {
  const row = await runs.findRow(id)
  if (row?.status !== 'limit_reached' && row?.status !== 'failed') return
  const spent = await budgets.usedUpToday(row)
  if (spent) throw new RequestError('budget_exceeded', spent.text)
}
