import { PatchThread, PostComment, PostThread, ReactionEmoji, Thread, ThreadList } from '@copydesk/protocol'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError, orThrow } from '../../common/errors.ts'
import { authorOf, changeRoutes, readSelection } from './change-routes.ts'
import { type ApiDeps, requireAllowed, requireDocument } from '../requests/context.ts'
import { route } from '../requests/route.ts'

const Params = z.object({ id: z.string() })
const ThreadParams = Params.extend({ thread: z.string() })
const CommentParams = ThreadParams.extend({ comment: z.string() })
const HighlightParams = Params.extend({ highlight: z.string() })

/** Routes for comment threads, suggested changes and highlights. */
export function reviewRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(threadRoutes(deps))
    await app.register(changeRoutes(deps))
    await app.register(highlightRoutes(deps))
  }
}

const listThreads = route('Comment threads, oldest first', { params: Params, 200: ThreadList })
const startThread = route('Comment on a text', {
  description: 'selection wins over quote. The word @agent in the text starts a run that answers in the thread.',
  params: Params,
  body: PostThread,
  201: Thread,
})
const replyInThread = route('Reply in a thread', { params: ThreadParams, body: PostComment, 201: Thread })
const patchThread = route('Resolve a thread, or open it again', {
  params: ThreadParams,
  body: PatchThread,
  200: Thread,
})

const patchComment = route('Change the text of your own comment', {
  description: 'People whom it mentions for the first time are notified. It starts no run.',
  params: CommentParams,
  body: PostComment,
  200: Thread,
})
const deleteComment = route('Delete a comment: your own; as an editor also of the agent, as an owner any', {
  description: 'With its last comment a thread is deleted.',
  params: CommentParams,
  204: z.null(),
})

const ReactionParams = CommentParams.extend({ emoji: ReactionEmoji })
const reactionSchema = (summary: string) => route(summary, { params: ReactionParams, 200: Thread })

function threadRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/documents/:id/threads', listThreads, async (request) => {
      await requireDocument(request, deps, 'read')
      await deps.anchoring.settle(request.params.id, true)
      return { threads: await deps.threads.list(request.params.id) }
    })
    app.post('/documents/:id/threads', startThread, async (request, response) => {
      const commenter = await requireCommenter(request, deps)
      const { quote, selection, ...said } = request.body
      const pointer = { quote, selection: readSelection(selection) }
      const comment = { id: deps.createId(), ...commenter, ...said }
      const started = orThrow(await deps.threads.start(request.params.id, deps.createId(), pointer, comment))
      return response.status(201).send(started.thread)
    })
    app.post('/documents/:id/threads/:thread/comments', replyInThread, async (request, response) => {
      const commenter = await requireCommenter(request, deps)
      const { id, thread } = request.params
      const comment = { id: deps.createId(), ...commenter, ...request.body }
      const replied = orThrow(await deps.threads.reply(id, thread, comment))
      return response.status(201).send(replied.thread)
    })
    app.patch('/documents/:id/threads/:thread/comments/:comment', patchComment, async (request) => {
      const { author } = await requireCommenter(request, deps)
      const { id: document, thread, comment } = request.params
      return orThrow(await deps.threads.reword({ document, thread, comment }, request.body, author)).thread
    })
    app.delete('/documents/:id/threads/:thread/comments/:comment', deleteComment, async (request, response) => {
      const { author, credential } = await requireCommenter(request, deps)
      const { id: document, thread, comment } = request.params
      orThrow(await deps.threads.delete({ document, thread, comment }, { author, access: credential.access }))
      return response.status(204).send(null)
    })
    const react = async (request: FastifyRequest<{ Params: z.infer<typeof ReactionParams> }>, isOn: boolean) => {
      const { author } = await requireCommenter(request, deps)
      const { id: document, thread, comment, emoji } = request.params
      return orThrow(await deps.threads.react({ document, thread, comment }, { emoji, isOn }, author)).thread
    }
    const reactionPath = '/documents/:id/threads/:thread/comments/:comment/reactions/:emoji'
    app.put(reactionPath, reactionSchema('React to a comment'), (request) => react(request, true))
    app.delete(reactionPath, reactionSchema('Remove your reaction'), (request) => react(request, false))
    app.patch('/documents/:id/threads/:thread', patchThread, async (request) => {
      const author = authorOf(await requireDocument(request, deps, 'comment'))
      const { id, thread } = request.params
      const changed = orThrow(await deps.threads.setResolved(id, thread, request.body.resolved, author))
      if (request.body.resolved) return changed.thread
      // The anchor of a resolved thread is not updated.
      await deps.anchoring.settle(id)
      return (await deps.threads.find(id, thread)) ?? changed.thread
    })
  }
}

/** The comment's author and their credential. */
async function requireCommenter(request: Parameters<typeof requireAllowed>[0], deps: ApiDeps) {
  const { caller, access } = await requireAllowed(request, deps, 'comment')
  return { author: authorOf(caller.user), credential: { access, apiKey: caller.apiKey ?? null } }
}

function highlightRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const dismiss = route('Remove a highlight', { params: HighlightParams, 204: z.null() })
  return async (app) => {
    app.delete('/documents/:id/highlights/:highlight', dismiss, async (request, reply) => {
      const user = await requireDocument(request, deps, 'read')
      const { id, highlight } = request.params
      if (!(await deps.highlights.dismiss(id, highlight, user.id))) {
        throw new RequestError('not_found', 'There is no such highlight in this document.')
      }
      return reply.status(204).send(null)
    })
  }
}
