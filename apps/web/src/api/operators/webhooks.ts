import {
  CreatedWebhook,
  type CreateWebhook,
  type PatchWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookSecret,
} from '@copydesk/protocol'
import { queryOptions } from '@tanstack/react-query'
import { apiPath, request, send } from '../client.ts'

/** All webhooks. Its key is the prefix of the keys of their deliveries. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await request('/webhooks', WebhookList, { signal })).webhooks,
  refetchInterval: 10_000,
})

/** Adds a webhook; only this response contains its secret. */
export function createWebhook(body: CreateWebhook): Promise<CreatedWebhook> {
  return request('/webhooks', CreatedWebhook, { method: 'POST', body })
}

export function patchWebhook(id: string, body: PatchWebhook): Promise<Webhook> {
  return request(apiPath`/webhooks/${id}`, Webhook, { method: 'PATCH', body })
}

export async function deleteWebhook(id: string): Promise<void> {
  await send(apiPath`/webhooks/${id}`, { method: 'DELETE' })
}

/** Replaces the secret of a webhook; only this response contains the new one. */
export async function replaceSecret(id: string): Promise<string> {
  return (await request(apiPath`/webhooks/${id}/secret`, WebhookSecret, { method: 'POST' })).secret
}

export function testWebhook(id: string): Promise<WebhookDelivery> {
  return request(apiPath`/webhooks/${id}/test`, WebhookDelivery, { method: 'POST' })
}

/** The last deliveries of a webhook, newest first, and the titles of their documents. */
export function fetchDeliveries(id: string, signal: AbortSignal): Promise<WebhookDeliveryList> {
  return request(apiPath`/webhooks/${id}/deliveries`, WebhookDeliveryList, { signal })
}

/** Sends a delivery again. */
export function redeliver(webhook: string, id: string): Promise<WebhookDelivery> {
  return request(apiPath`/webhooks/${webhook}/deliveries/${id}`, WebhookDelivery, { method: 'POST' })
}
