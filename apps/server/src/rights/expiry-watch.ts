import type { Kysely } from 'kysely'
import type { Signals } from '../common/signals.ts'
import type { Tables } from '../store/tables.ts'

export type ExpiryWatchDeps = {
  db: Kysely<Tables>
  signals: Pick<Signals, 'publish' | 'subscribe'>
  now: () => number
  onError: (error: unknown) => void
}

// The maximum delay: a timer does not react to clock changes or a suspended machine.
const maxDelayMs = 60_000

/**
 * Publishes `rights` when share links and API keys expire, as on a revocation. Returns the function that stops this.
 */
export function watchExpiry({ db, signals, now, onError }: ExpiryWatchDeps): () => void {
  let timer: NodeJS.Timeout | undefined
  let publishedUntil = now()
  let closed = false
  const publishExpired = async (): Promise<void> => {
    const at = now()
    const due = await db
      .selectFrom('links')
      .select('document')
      .distinct()
      .where('expires_at', '>', publishedUntil)
      .where('expires_at', '<=', at)
      .where('revoked_at', 'is', null)
      .execute()
    const keysDue = await db
      .selectFrom('api_keys')
      .select('person')
      .distinct()
      .where('expires_at', '>', publishedUntil)
      .where('expires_at', '<=', at)
      .execute()
    publishedUntil = at
    for (const { document } of due) signals.publish({ kind: 'rights', document })
    for (const { person } of keysDue) signals.publish({ kind: 'rights', person })
    const nextLink = await db
      .selectFrom('links')
      .select((eb) => eb.fn.min('expires_at').as('at'))
      .where('expires_at', '>', at)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const nextKey = await db
      .selectFrom('api_keys')
      .select((eb) => eb.fn.min('expires_at').as('at'))
      .where('expires_at', '>', at)
      .executeTakeFirst()
    const nextAt = Math.min(...[nextLink?.at, nextKey?.at].map((next) => Number(next ?? Infinity)))
    plan(nextAt - now())
  }
  const plan = (inMs: number): void => {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(run, Math.min(maxDelayMs, Math.max(1, inMs + 1)))
    timer.unref()
  }
  const run = (): void =>
    void publishExpired().catch((error: unknown) => {
      if (closed) return
      onError(error)
      plan(maxDelayMs)
    })
  const stop = signals.subscribe((signal) => {
    // A new link or key may expire before all others.
    if (signal.kind === 'rights') plan(1)
  })
  run()
  return () => {
    closed = true
    clearTimeout(timer)
    stop()
  }
}
