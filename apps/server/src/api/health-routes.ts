import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ApiDeps } from './context.ts'

const Alive = z.object({ status: z.literal('ok') })
const Ready = z.object({ status: z.enum(['ok', 'unavailable']), reason: z.string().optional() })

/** `/healthz`: the process is alive. `/readyz`: the server can serve and the store responds. */
export function healthRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/healthz', { schema: { response: { 200: Alive } }, logLevel: 'warn' }, async () => ({
      status: 'ok' as const,
    }))
    app.get('/readyz', { schema: { response: { 200: Ready, 503: Ready } }, logLevel: 'warn' }, async (_, reply) => {
      const reason = await deps.trouble()
      if (reason === undefined) return { status: 'ok' as const }
      return reply.status(503).send({ status: 'unavailable', reason })
    })
  }
}
