import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../../common/errors.ts'
import { EventHub } from '../../events/event-hub.ts'
import { streamEvents } from '../../events/event-stream.ts'
import { StreamCounts } from '../../events/stream-counts.ts'
import { concerns } from '../../common/signals.ts'
import { type ApiDeps, findPerson, requireAllowed } from '../requests/context.ts'

/** The events of a document as server-sent events, for programs that don't speak Yjs. */
export function eventRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const options = {
    schema: {
      summary: 'What happens in a document, as server-sent events',
      description:
        'Events `run`, `message`, `thread` and `doc_update`, each with JSON as data. Nothing is sent again after a gap.',
      params: z.object({ id: z.string() }),
    },
  }
  return async (app) => {
    const hub = new EventHub({
      ...deps,
      onError: (error) => app.log.error({ err: error }, 'a room could not be subscribed to'),
    })
    const streams = new StreamCounts()
    // On shutdown the server waits for open responses, and these don't end by themselves.
    app.addHook('preClose', async () => hub.close())
    app.get('/documents/:id/events', options, async (request, reply) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      const entered = streams.enter(caller, deps.requests.originOf(request))
      if (!entered.ok) {
        const message = `${entered.most} event streams of yours, or of guests like you, are already open.`
        throw new RequestError('rate_limited', message, 'Close some of them.')
      }
      const { place } = entered
      reply.hijack()
      await streamEvents(reply.raw, {
        hub,
        document: id,
        place,
        headers: { ...reply.getHeaders(), 'x-request-id': request.id },
        isAllowed: async () => {
          // Authenticates again, because the session may have ended.
          const now = await findPerson(request, deps)
          return now !== undefined && (await deps.access(now, id)) !== undefined
        },
        onRights: (listener) =>
          deps.signals.subscribe((signal) => {
            if (signal.kind === 'rights' && concerns(signal, caller.user.id, id)) listener()
          }),
        now: deps.elapsed,
      }).finally(() => place.leave())
    })
  }
}
