import { z } from 'zod'

export const WebhookEvent = z.enum(['run', 'doc_update', 'thread', 'message', 'version'])
export type WebhookEvent = z.infer<typeof WebhookEvent>

const Target = z
  .url({ protocol: /^https?$/, error: 'Give a complete address that begins with https://.' })
  .max(2000, 'An address has at most 2,000 characters.')
const Events = z
  .array(WebhookEvent)
  .min(1, 'Choose at least one event.')
  .max(WebhookEvent.options.length)
  .transform((events) => WebhookEvent.options.filter((event) => events.includes(event)))
const Description = z.string().trim().max(200, 'A description has at most 200 characters.')

/** A new webhook. It is on unless `active` is false. */
export const CreateWebhook = z.object({
  url: Target,
  events: Events,
  description: Description.exactOptional(),
  active: z.boolean().exactOptional(),
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

export const PatchWebhook = z.object({
  url: Target.exactOptional(),
  events: Events.exactOptional(),
  description: Description.exactOptional(),
  active: z.boolean().exactOptional(),
})
export type PatchWebhook = z.infer<typeof PatchWebhook>

/** Why the server has switched off a webhook: its receiver answered 410, or its deliveries failed for days. */
export const WebhookStop = z.enum(['gone', 'failing'])
export type WebhookStop = z.infer<typeof WebhookStop>

/** The outcome of the latest attempt of a delivery, and its time; `waiting`: there was none or it has not ended. */
export const WebhookResult = z.object({
  result: z.enum(['delivered', 'failed', 'waiting']),
  at: z.iso.datetime().nullable(),
})
export type WebhookResult = z.infer<typeof WebhookResult>

/**
 * A webhook. `waiting` deliveries have not succeeded yet; `dropped` events were discarded because the maximum number of
 * deliveries was waiting. `failingSince`: no delivery has succeeded since. `recent`: the last twenty deliveries, newest
 * first.
 */
export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(WebhookEvent),
    description: z.string(),
    active: z.boolean(),
    stopped: WebhookStop.nullable(),
    failingSince: z.iso.datetime().nullable(),
    waiting: z.number().int(),
    dropped: z.number().int(),
    recent: z.array(WebhookResult),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

export const WebhookList = z.object({ webhooks: z.array(Webhook) })
export type WebhookList = z.infer<typeof WebhookList>

/** The secret with which deliveries are signed, as `whsec_` and Base64; returned only once. */
export const WebhookSecret = z.object({ secret: z.string() })

export const CreatedWebhook = Webhook.extend(WebhookSecret.shape).meta({ id: 'CreatedWebhook' })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

/** Why an attempt failed; `status`: the receiver answered with a status other than 2xx. */
export const DeliveryError = z.enum(['status', 'redirect', 'inside', 'address', 'slow', 'unreachable'])
export type DeliveryError = z.infer<typeof DeliveryError>

/**
 * A delivery and its latest attempt. `pending`: it is sent at `dueAt`, for the first time or again; `failed`: it is not
 * retried any more. `id` is the header `webhook-id` of all its attempts, `data` the event's data in its body.
 */
export const WebhookDelivery = z
  .object({
    id: z.string(),
    event: z.enum([...WebhookEvent.options, 'test']),
    document: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number().int(),
    createdAt: z.iso.datetime(),
    dueAt: z.iso.datetime().nullable(),
    attemptedAt: z.iso.datetime().nullable(),
    status: z.number().int().nullable(),
    durationMs: z.number().int().nullable(),
    error: DeliveryError.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/**
 * The log of a webhook. `titles` has, by id, the titles of documents that are shared with the reader, and no others.
 */
export const WebhookDeliveryList = z.object({
  deliveries: z.array(WebhookDelivery),
  titles: z.record(z.string(), z.string()),
})
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>
