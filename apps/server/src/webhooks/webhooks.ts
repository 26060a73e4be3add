import { localizable } from '@copydesk/tools/localizable'
import type {
  CreatedWebhook,
  CreateWebhook,
  PatchWebhook,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookResult,
} from '@copydesk/protocol'
import { type Kysely, sql } from 'kysely'
import { isoOrNull } from '../common/time.ts'
import { noSuch, RequestError } from '../common/errors.ts'
import type { DeliveryRow, Tables, WebhookRow } from '../store/tables.ts'
import { checkAddress } from '../web/check-address.ts'
import type { Signing } from './signing.ts'

export type WebhooksDeps = {
  db: Kysely<Tables>
  signing: Signing
  /** The hosts that may be private and called without encryption. */
  allowedHosts: readonly string[]
  now: () => number
  createId: () => string
}

const webhooksAtMost = 50
const shownDeliveries = 100
const recentDeliveries = 20

/** The webhooks of the server, which operators configure, and the log of deliveries. */
export class Webhooks {
  readonly #deps: WebhooksDeps
  constructor(deps: WebhooksDeps) {
    this.#deps = deps
  }

  /** All webhooks, oldest first. */
  async list(): Promise<Webhook[]> {
    return this.#complete(await this.#select().orderBy('created_at').orderBy('id').execute())
  }

  /**
   * Adds a webhook.
   * @throws RequestError `invalid_input` for an address that the server doesn't call, `conflict` if there are 50.
   */
  async create({ url, events, description = '', active = true }: CreateWebhook, by: string): Promise<CreatedWebhook> {
    const { db, signing, now, createId, allowedHosts } = this.#deps
    checkAddress(url, allowedHosts)
    const row = { id: createId(), secret_version: 1, secret_at: now() }
    await db.transaction().execute(async (trx) => {
      const { count } = await trx
        .selectFrom('webhooks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count >= webhooksAtMost) {
        throw new RequestError(
          'conflict',
          localizable`There are ${webhooksAtMost} webhooks already.`,
          'Delete one first.',
        )
      }
      const given = { url, events: JSON.stringify(events), description, active: active ? 1 : 0 }
      await trx
        .insertInto('webhooks')
        .values({ ...row, ...given, created_by: by, created_at: now() })
        .execute()
    })
    return { ...(await this.#find(row.id)), secret: signing.secretOf(row) }
  }

  /**
   * Changes a webhook. Enabling it resets its failures.
   * @throws RequestError `not_found`, or `invalid_input` as `create`.
   */
  async change(id: string, { url, events, description, active }: PatchWebhook): Promise<Webhook> {
    if (url !== undefined) checkAddress(url, this.#deps.allowedHosts)
    const changed = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: JSON.stringify(events) }),
      ...(description === undefined ? {} : { description }),
      ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      ...(active === true ? { stopped: null, failing_since: null, dropped: 0 } : {}),
    }
    if (Object.keys(changed).length > 0) {
      await this.#deps.db.updateTable('webhooks').set(changed).where('id', '=', id).execute()
    }
    return this.#find(id)
  }

  /** Deletes a webhook and its log. @throws RequestError `not_found`. */
  async delete(id: string): Promise<void> {
    const { numDeletedRows } = await this.#deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('webhook_deliveries').where('webhook', '=', id).execute()
      return trx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst()
    })
    if (numDeletedRows === 0n) throw noSuch('webhook')
  }

  /**
   * Replaces the secret and returns the new one. For a day deliveries are signed with both.
   * @throws RequestError `not_found`.
   */
  async replaceSecret(id: string): Promise<string> {
    const { db, signing, now } = this.#deps
    const row = await db
      .updateTable('webhooks')
      .set((eb) => ({ secret_version: eb('secret_version', '+', 1), secret_at: now() }))
      .where('id', '=', id)
      .returning(['id', 'secret_version', 'secret_at'])
      .executeTakeFirst()
    if (!row) throw noSuch('webhook')
    return signing.secretOf(row)
  }

  /** Stores a test event, which is also sent while the webhook is disabled. @throws RequestError `not_found`. */
  async test(id: string): Promise<WebhookDelivery> {
    const { db, now, createId } = this.#deps
    await this.#find(id)
    const row = await db
      .insertInto('webhook_deliveries')
      .values({
        id: `msg_${createId().replaceAll('-', '')}`,
        webhook: id,
        event: 'test',
        document: null,
        data: JSON.stringify({ webhook: id }),
        state: 'pending',
        created_at: now(),
        due_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toDelivery(row)
  }

  /** The latest deliveries of a webhook, newest first. @throws RequestError `not_found`. */
  async deliveries(id: string): Promise<WebhookDelivery[]> {
    await this.#find(id)
    const rows = await this.#deps.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook', '=', id)
      .orderBy('seq', 'desc')
      .limit(shownDeliveries)
      .execute()
    return rows.map(toDelivery)
  }

  /** Sends a delivery again, now and with the initial number of retries. @throws RequestError `not_found`. */
  async redeliver(id: string, delivery: string): Promise<WebhookDelivery> {
    const row = await this.#deps.db
      .updateTable('webhook_deliveries')
      .set({ state: 'pending', attempts: 0, due_at: this.#deps.now() })
      .where('webhook', '=', id)
      .where('id', '=', delivery)
      .returningAll()
      .executeTakeFirst()
    if (row) return toDelivery(row)
    throw noSuch('delivery of this webhook')
  }

  async #find(id: string): Promise<Webhook> {
    const [found] = await this.#complete(await this.#select().where('id', '=', id).execute())
    if (!found) throw noSuch('webhook')
    return found
  }

  /** The webhooks of these rows with their last deliveries. */
  async #complete(rows: readonly FoundRow[]): Promise<Webhook[]> {
    const ids = rows.map(({ id }) => id)
    const numbered = this.#deps.db
      .selectFrom('webhook_deliveries')
      .select(['webhook', 'seq', 'state', 'attempts', 'error', 'attempted_at'])
      .select(sql<number>`row_number() over (partition by webhook order by seq desc)`.as('number'))
      .where('webhook', 'in', ids)
    const last = await this.#deps.db
      .selectFrom(numbered.as('numbered'))
      .selectAll()
      .where('number', '<=', recentDeliveries)
      .orderBy('seq', 'desc')
      .execute()
    const byWebhook = Map.groupBy(last, ({ webhook }) => webhook)
    return rows.map((row) => toWebhook(row, (byWebhook.get(row.id) ?? []).map(toResult)))
  }

  #select() {
    return this.#deps.db
      .selectFrom('webhooks')
      .selectAll('webhooks')
      .select(({ selectFrom, fn }) =>
        selectFrom('webhook_deliveries')
          .select(fn.countAll<number>().as('count'))
          .whereRef('webhook', '=', 'webhooks.id')
          .where('state', '=', 'pending')
          .as('waiting'),
      )
  }
}

type FoundRow = WebhookRow & { waiting: number | null }

function toWebhook(row: FoundRow, recent: WebhookResult[]): Webhook {
  const { id, url, events, description, active, stopped, failing_since, waiting, dropped, created_at } = row
  return {
    id,
    url,
    events: JSON.parse(events) as WebhookEvent[],
    description,
    active: active === 1,
    stopped,
    failingSince: isoOrNull(failing_since),
    waiting: waiting ?? 0,
    dropped,
    recent,
    createdAt: new Date(created_at).toISOString(),
  }
}

type Attempted = Pick<DeliveryRow, 'state' | 'attempts' | 'error' | 'attempted_at'>

function toResult({ state, attempts, error, attempted_at }: Attempted): WebhookResult {
  const result = state === 'delivered' ? 'delivered' : attempts === 0 || error === null ? 'waiting' : 'failed'
  return { result, at: isoOrNull(attempted_at) }
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  const { id, event, document, data, state, attempts, created_at, due_at, attempted_at, status, duration_ms, error } =
    row
  return {
    id,
    event,
    document,
    data: JSON.parse(data) as Record<string, unknown>,
    state,
    attempts,
    createdAt: new Date(created_at).toISOString(),
    dueAt: state === 'pending' ? isoOrNull(due_at) : null,
    attemptedAt: isoOrNull(attempted_at),
    status,
    durationMs: duration_ms,
    error,
  }
}
