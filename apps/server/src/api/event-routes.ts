import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../errors.ts'
import { EventHub } from '../events/event-hub.ts'
import { streamEvents } from '../events/event-stream.ts'
import { concerns } from '../signals.ts'
import { type ApiDeps, findPerson, requireAllowed } from './context.ts'
import { createPlaces } from './places.ts'

const streamsPerPerson = 50

/** What happens in a document as server-sent events, for programs that don't speak Yjs. */
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
      onTrouble: (error) => app.log.error({ err: error }, 'a room could not be followed'),
    })
    const streams = createPlaces(streamsPerPerson)
    // A server that waits for its answers to end would wait for these for ever.
    app.addHook('preClose', async () => hub.close())
    app.get('/documents/:id/events', options, async (request, reply) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      const giveBack = streams.take(caller.user.id)
      if (!giveBack) {
        throw new RequestError(
          'rate_limited',
          `You follow ${streamsPerPerson} documents already.`,
          'Close some of them.',
        )
      }
      reply.hijack()
      await streamEvents(reply.raw, {
        hub,
        document: id,
        headers: { ...reply.getHeaders(), 'x-request-id': request.id },
        isAllowed: async () => {
          // The session itself may be over.
          const now = await findPerson(request, deps)
          return now !== undefined && (await deps.access(now, id)) !== undefined
        },
        onRights: (listener) =>
          deps.signals.subscribe((signal) => {
            if (signal.kind === 'rights' && concerns(signal, caller.user.id, id)) listener()
          }),
        now: deps.elapsed,
      }).finally(giveBack)
    })
  }
}
