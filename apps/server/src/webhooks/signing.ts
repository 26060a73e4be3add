import { createHmac } from 'node:crypto'
import { dayMs } from '../common/time.ts'
import type { DeliveryRow, WebhookRow } from '../store/tables.ts'

type Secret = Pick<WebhookRow, 'id' | 'secret_version' | 'secret_at'>
type Sent = Pick<DeliveryRow, 'id' | 'event' | 'created_at' | 'data'>

/** How long deliveries are also signed with the replaced secret, so that receivers have time to change it. */
const overlapMs = dayMs

/** Signs deliveries according to Standard Webhooks (standardwebhooks.com). */
export type Signing = {
  /** The secret of a webhook for its receiver: `whsec_` and the Base64 of the key. */
  secretOf(webhook: Secret): string
  /** The headers and body of one attempt at `now`. */
  sign(webhook: Secret, delivery: Sent, now: number): { headers: Record<string, string>; body: string }
}

/**
 * Signing with keys that are derived from the server's secret, the webhook's id and the version of its secret: the
 * database contains no key.
 */
export function createSigning(secret: string): Signing {
  const keyOf = (id: string, version: number): Buffer =>
    createHmac('sha256', secret).update(`webhook ${version} ${id}`).digest()
  return {
    secretOf: ({ id, secret_version: version }) => `whsec_${keyOf(id, version).toString('base64')}`,
    sign({ id, secret_version: version, secret_at: since }, delivery, now) {
      const at = Math.floor(now / 1000)
      const timestamp = new Date(delivery.created_at).toISOString()
      const body = JSON.stringify({ type: delivery.event, timestamp, data: JSON.parse(delivery.data) as unknown })
      const versions = version > 1 && now - since < overlapMs ? [version, version - 1] : [version]
      const signatures = versions.map((each) => {
        const hmac = createHmac('sha256', keyOf(id, each)).update(`${delivery.id}.${at}.${body}`)
        return `v1,${hmac.digest('base64')}`
      })
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Copydesk',
        'webhook-id': delivery.id,
        'webhook-timestamp': String(at),
        'webhook-signature': signatures.join(' '),
      }
      return { headers, body }
    },
  }
}
