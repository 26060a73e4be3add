import type { DeliveryError, WebhookDelivery, WebhookStop } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of webhooks. Times, ids and JSON as in `Tables`. */
export type WebhookTables = {
  /**
   * `events` is JSON, a list of `WebhookEvent`. The secret is derived from the id and `secret_version`. While `active`
   * is 0 no events are noted.
   */
  webhooks: {
    id: string
    url: string
    events: string
    description: string
    active: number
    stopped: Generated<WebhookStop | null>
    secret_version: Generated<number>
    /** When the secret was made. */
    secret_at: number
    failing_since: Generated<number | null>
    dropped: Generated<number>
    created_by: string
    created_at: number
  }
  /**
   * One row for each event and webhook, in the order of the events. Triggers on the tables of runs, threads, messages,
   * versions and logs add them, in the transactions that change those. `data` is the JSON that is sent.
   */
  webhook_deliveries: {
    seq: Generated<number>
    id: string
    webhook: string
    event: WebhookDelivery['event']
    document: string | null
    data: string
    state: WebhookDelivery['state']
    attempts: Generated<number>
    created_at: number
    due_at: number
    attempted_at: Generated<number | null>
    status: Generated<number | null>
    duration_ms: Generated<number | null>
    error: Generated<DeliveryError | null>
  }
}
