import {
  ConversationId,
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
import { allows } from '../../common/access-level.ts'
import { RequestError } from '../../common/errors.ts'
import type { RestoreFiles } from '../../history/run-undo.ts'
import { publishNotified } from '../../notifications/notifications.ts'
import { decodeSelection } from '../../common/relative-position.ts'
import { stopAndWait } from '../../agent/stop-run.ts'
import { approvalRoutes } from './approval-routes.ts'
import {
  type ApiDeps,
  failures,
  requireAllowed,
  requireDocument,
  requireMember,
  requireRun,
  stillAllowed,
} from '../requests/context.ts'
import { queueOfCallers } from '../requests/caller-queue.ts'

const Params = z.object({ id: z.string() })
const RunParams = Params.extend({ run: z.string() })
const selectionHint = 'Give anchor and head, each the base64 of Y.encodeRelativePosition.'

/** Routes for the conversation with the agent, and for its runs. */
export function agentRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(messageRoutes(deps))
    await app.register(runRoutes(deps))
    await app.register(approvalRoutes(deps))
  }
}

function messageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const post = {
    schema: {
      summary: 'Ask the agent in the chat',
      params: Params,
      body: PostMessage,
      response: { 202: PostedMessage, ...failures },
    },
  }
  const list = {
    schema: {
      summary: 'The chat, oldest first',
      params: Params,
      querystring: z.object({ before: z.string().optional(), conversation: ConversationId.optional() }),
      response: { 200: MessageList, ...failures },
    },
  }
  return async (app) => {
    app.post('/documents/:id/messages', post, async (request, reply) => {
      const { caller, access } = await requireAllowed(request, deps, 'comment')
      const { user } = caller
      const { text, selection, mode, mentions, conversation } = request.body
      if (selection && !decodeSelection(selection)) {
        throw new RequestError('invalid_input', 'selection: not two Yjs relative positions.', selectionHint)
      }
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
  const list = { schema: { summary: 'Runs, newest first', params: Params, response: { 200: RunList, ...failures } } }
  const one = (summary: string) => ({
    schema: { summary, params: RunParams, response: { 200: Run, ...failures } },
  })
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

const undosPerPerson = 16

const summaries = {
  undo: 'Undo what a run, or one of its steps, has changed',
  redo: 'Redo what was undone of a run, or of one of its steps',
}

/** Undo and redo of runs. Responds once the change is in the document and on disk. */
export function undoRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const options = (kind: 'undo' | 'redo') => ({
    schema: {
      summary: summaries[kind],
      params: z.object({ id: z.string(), run: z.string() }),
      body: UndoRun.nullish(),
      response: { 200: Run, ...failures },
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
        const restore: RestoreFiles = (trx, restored) => {
          requireMember(caller)
          return deps.files.restore(trx, restored)
        }
        return inTurn(caller, id, 'write', () => deps.undo.change(id, run, wish, caller.user, check, restore))
      })
    }
  }
}
