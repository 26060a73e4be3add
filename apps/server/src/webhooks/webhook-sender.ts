import { parseRetryAfter } from '@copydesk/agent'
import type { DeliveryError, WebhookStop } from '@copydesk/protocol'
import { type Kysely, sql } from 'kysely'
import { recordAuditEvent } from '../audit/audit.ts'
import { Repetition } from '../common/repetition.ts'
import { dayMs } from '../common/time.ts'
import type { DeliveryRow, Tables, WebhookRow } from '../store/tables.ts'
import type { GuardedPost, Posted } from '../web/guarded-post.ts'
import type { Signing } from './signing.ts'

export type WebhookSenderDeps = {
  db: Kysely<Tables>
  post: GuardedPost
  signing: Signing
  now: () => number
  /** Monotonic clock for durations, in milliseconds. */
  elapsed: () => number
  /** Returns a random number from 0 to 1. */
  random: () => number
  onError: (error: unknown) => void
  times?: Partial<WebhookTimes> | undefined
}

/** In milliseconds. */
export type WebhookTimes = {
  /** The interval at which the store is read for due deliveries. */
  every: number
  /** The time for which changes of a text are combined into one delivery. */
  gather: number
  /** The time limit of an answer. */
  answerWithin: number
  /** The pauses before each further attempt; after the last attempt the delivery has failed. */
  retries: readonly number[]
  /** A webhook whose deliveries have failed for this time is switched off. */
  failingAtMost: number
}

const [second, minute, hour] = [1000, 60_000, 3_600_000]
const defaultTimes: WebhookTimes = {
  every: second,
  gather: 5 * second,
  answerWithin: 15 * second,
  // About a day altogether.
  retries: [
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    hour,
    2 * hour,
    4 * hour,
    8 * hour,
    8 * hour,
  ],
  failingAtMost: 5 * dayMs,
}
// The pauses vary by a fifth, so that deliveries that failed together aren't repeated together.
const jitter = 0.2
const finishedKept = 200

const longestWaitMs = dayMs

/** The outcome of an attempt: accepted, or the reason of the failure and the pause that the receiver requests. */
type Outcome = { status: number | null; error: DeliveryError | null; retryAfterMs?: number | undefined }

/**
 * Sends the rows of `webhook_deliveries`: each webhook's deliveries one after the other, the webhooks independently. An
 * attempt is stored before it is made, so that it is repeated if the server is killed. At least once, not exactly once:
 * receivers compare `webhook-id`.
 */
export class WebhookSender extends Repetition {
  readonly #deps: WebhookSenderDeps
  readonly #times: WebhookTimes
  /** The webhooks whose deliveries are being sent. */
  readonly #sending = new Map<string, Promise<void>>()

  constructor(deps: WebhookSenderDeps) {
    const times = { ...defaultTimes, ...deps.times }
    super({ every: times.every, work: () => this.#sendDue(), onError: deps.onError })
    this.#deps = deps
    this.#times = times
  }

  /** Ends the current attempts; the next start repeats them. May be called twice. */
  override async close(): Promise<void> {
    await super.close()
    await Promise.all(this.#sending.values())
  }

  async #sendDue(): Promise<void> {
    const due = await this.#due().select('webhooks.id').distinct().execute()
    for (const { id } of due) this.#startSending(id)
  }

  #startSending(webhook: string): void {
    if (this.#sending.has(webhook)) return
    const sending = this.#sendAll(webhook)
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.#deps.onError(error)
      })
      .finally(() => this.#sending.delete(webhook))
    this.#sending.set(webhook, sending)
  }

  async #sendAll(webhook: string): Promise<void> {
    while (!this.signal.aborted && (await this.#sendNext(webhook)));
    await this.#forgetFinished(webhook)
  }

  /** Makes the next attempt that is due; false if there is none. */
  async #sendNext(webhook: string): Promise<boolean> {
    const { db, post, signing, now, elapsed } = this.#deps
    const delivery = await this.#due()
      .selectAll('webhook_deliveries')
      .where('webhook', '=', webhook)
      .orderBy('due_at')
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    const target = await db.selectFrom('webhooks').selectAll().where('id', '=', webhook).executeTakeFirst()
    if (!delivery || !target || !(await this.#claim(delivery))) return false
    const { headers, body } = signing.sign(target, delivery, now())
    const start = elapsed()
    const sent = { headers, body, timeoutMs: this.#times.answerWithin }
    const posted = await post(target.url, sent, this.signal)
    const outcome = posted.ok ? readAnswer(posted, now()) : { status: null, error: posted.reason }
    await this.#store(target, delivery, outcome, Math.round(elapsed() - start))
    return true
  }

  /** Counts the attempt, and stores the time of the next one in case this one has no outcome. */
  async #claim({ seq, attempts }: DeliveryRow): Promise<boolean> {
    const { db, now, random } = this.#deps
    const pause = this.#times.retries[attempts] ?? hour
    const due_at = now() + Math.round(pause * (1 - jitter + 2 * jitter * random()))
    const { numUpdatedRows } = await db
      .updateTable('webhook_deliveries')
      .set({ attempts: attempts + 1, attempted_at: now(), due_at, status: null, error: null, duration_ms: null })
      .where('seq', '=', seq)
      .where('state', '=', 'pending')
      .where('attempts', '=', attempts)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async #store(webhook: WebhookRow, delivery: DeliveryRow, outcome: Outcome, duration_ms: number): Promise<void> {
    const { db, now } = this.#deps
    const { status, error } = outcome
    const isLast = delivery.event === 'test' || delivery.attempts >= this.#times.retries.length || status === 410
    const state = error === null ? 'delivered' : isLast ? 'failed' : 'pending'
    const since = error === null ? null : (webhook.failing_since ?? now())
    const isFailing = since !== null && now() - since >= this.#times.failingAtMost
    const stopped = status === 410 ? 'gone' : isFailing ? 'failing' : undefined
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('webhook_deliveries')
        .set({ state, status, error, duration_ms })
        .$if(outcome.retryAfterMs !== undefined, (query) =>
          query.set('due_at', sql<number>`max(due_at, ${now() + (outcome.retryAfterMs ?? 0)})`),
        )
        .where('seq', '=', delivery.seq)
        // Otherwise an operator has requested it again meanwhile.
        .where('attempts', '=', delivery.attempts + 1)
        .execute()
      if (since !== webhook.failing_since) {
        await trx.updateTable('webhooks').set({ failing_since: since }).where('id', '=', webhook.id).execute()
      }
      if (stopped && webhook.active === 1) await stop(trx, webhook.id, stopped, now())
    })
  }

  async #forgetFinished(webhook: string): Promise<void> {
    const finished = this.#deps.db
      .selectFrom('webhook_deliveries')
      .select('seq')
      .where('webhook', '=', webhook)
      .where('state', '<>', 'pending')
      .orderBy('seq', 'desc')
    await this.#deps.db
      .deleteFrom('webhook_deliveries')
      .where('webhook', '=', webhook)
      .where('state', '<>', 'pending')
      .where('seq', '<=', finished.limit(1).offset(finishedKept))
      .execute()
  }

  /** The due deliveries. Deliveries of a disabled webhook wait, except test events. */
  #due() {
    const now = this.#deps.now()
    return this.#deps.db
      .selectFrom('webhooks')
      .innerJoin('webhook_deliveries', 'webhook_deliveries.webhook', 'webhooks.id')
      .where(sql<boolean>`webhook_deliveries.state = 'pending'`)
      .where('due_at', '<=', now)
      .where((eb) => eb.or([eb('active', '=', 1), eb('event', '=', 'test')]))
      .where((eb) =>
        eb.or([
          eb('event', '<>', 'doc_update'),
          eb('attempts', '>', 0),
          eb('webhook_deliveries.created_at', '<=', now - this.#times.gather),
        ]),
      )
  }
}

function readAnswer({ status, headers }: Extract<Posted, { ok: true }>, now: number): Outcome {
  if (status >= 200 && status < 300) return { status, error: null }
  if (status >= 300 && status < 400) return { status, error: 'redirect' }
  const retryAfterMs = parseRetryAfter(headers, now)
  return { status, error: 'status', retryAfterMs: retryAfterMs && Math.min(retryAfterMs, longestWaitMs) }
}

async function stop(db: Kysely<Tables>, webhook: string, stopped: WebhookStop, at: number): Promise<void> {
  await db.updateTable('webhooks').set({ active: 0, stopped }).where('id', '=', webhook).execute()
  const details = { active: false, stopped }
  await recordAuditEvent(db, { at, actor: null, action: 'webhook-changed', target: webhook, details })
}
