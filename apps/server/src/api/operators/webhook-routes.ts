import {
  CreatedWebhook,
  CreateWebhook,
  PatchWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookSecret,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readableTitles } from '../../documents/document-list.ts'
import { requireOperator } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { operatorRoute } from '../requests/route.ts'

const params = z.object({ webhook: z.string() })

export function webhookRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('preHandler', async (request) => void (await requireOperator(request, deps)))
    const list = operatorRoute('All webhooks', { 200: WebhookList })
    app.get('/webhooks', list, async () => ({ webhooks: await deps.webhooks.list() }))

    const create = operatorRoute('Add a webhook; only this answer has its secret', {
      body: CreateWebhook,
      201: CreatedWebhook,
    })
    app.post('/webhooks', create, async (request, reply) => {
      const { user } = await requireOperator(request, deps)
      return reply.status(201).send(await deps.webhooks.create(request.body, user.id))
    })

    const patch = operatorRoute('Change a webhook', { params, body: PatchWebhook, 200: Webhook })
    app.patch('/webhooks/:webhook', patch, async (request) =>
      deps.webhooks.change(request.params.webhook, request.body),
    )

    const remove = operatorRoute('Delete a webhook and its log', { params, 204: z.null() })
    app.delete('/webhooks/:webhook', remove, async (request, reply) => {
      await deps.webhooks.delete(request.params.webhook)
      return reply.status(204).send(null)
    })

    const secret = operatorRoute('Replace the secret; for a day deliveries are signed with both', {
      params,
      200: WebhookSecret,
    })
    app.post('/webhooks/:webhook/secret', secret, async (request) => ({
      secret: await deps.webhooks.replaceSecret(request.params.webhook),
    }))

    const deliveries = operatorRoute('The last deliveries of a webhook, newest first', {
      params,
      200: WebhookDeliveryList,
    })
    app.get('/webhooks/:webhook/deliveries', deliveries, async (request) => {
      const { user } = await requireOperator(request, deps)
      const found = await deps.webhooks.deliveries(request.params.webhook)
      const documents = found.map(({ document }) => document)
      return { deliveries: found, titles: await readableTitles(deps, user.id, documents) }
    })

    const test = operatorRoute('Send a test event', { params, 202: WebhookDelivery })
    app.post('/webhooks/:webhook/test', test, async (request, reply) =>
      reply.status(202).send(await deps.webhooks.test(request.params.webhook)),
    )

    const again = operatorRoute('Send a delivery again', {
      params: params.extend({ delivery: z.string() }),
      202: WebhookDelivery,
    })
    app.post('/webhooks/:webhook/deliveries/:delivery', again, async (request, reply) => {
      const { webhook, delivery } = request.params
      return reply.status(202).send(await deps.webhooks.redeliver(webhook, delivery))
    })
  }
}
