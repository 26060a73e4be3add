import { ErrorBody, isFinal, MessageList, PostedMessage, PostMessage, Run, RunList } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { allows } from '../access-level.ts'
import { RequestError } from '../errors.ts'
import { publishNotified } from '../notifications/notifications.ts'
import { decodeSelection } from '../runs/selection.ts'
import { stopRun } from '../runs/stop-run.ts'
import { approvalRoutes } from './approval-routes.ts'
import { type ApiDeps, requireAllowed, requireDocument, requireRun } from './context.ts'

const Params = z.object({ id: z.string() })
const RunParams = Params.extend({ run: z.string() })
const selectionHint = 'Give anchor and head, each the base64 of Y.encodeRelativePosition.'
const failures = { '4xx': ErrorBody }

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
      querystring: z.object({ before: z.string().optional() }),
      response: { 200: MessageList, ...failures },
    },
  }
  return async (app) => {
    app.post('/documents/:id/messages', post, async (request, reply) => {
      const { caller, access } = await requireAllowed(request, deps, 'comment')
      const { user } = caller
      const { text, selection, mode, mentions } = request.body
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
      return (await stopRun(run.id, deps)) ?? run
    })
  }
}
