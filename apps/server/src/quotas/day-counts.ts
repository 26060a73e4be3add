import type { Kysely } from 'kysely'
import type { Sender } from '../common/identity.ts'
import { writerOf } from '../common/identity.ts'
import { dayMs } from '../common/time.ts'
import type { Tables } from '../store/tables.ts'
import type { Account, AccountFinder } from './account.ts'
import { mebibyte } from './quotas.ts'

/** The bytes that an account has written today. Until `isLoaded`, only those counted by this process. */
export type DayCount = {
  bytes: number
  account: Account | undefined
  isLoaded: boolean
  /** Bytes not yet stored. */
  unsaved: number
  loading: Promise<void> | undefined
}

/** The writer of an update: a person, or a run, which counts for the person who started it. */
export type Writer = Pick<Sender, 'actor' | 'run'>

/** The day (UTC) of a time, in days since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs)
}

const saveAfterMs = 30_000
const saveAfterBytes = mebibyte
const rowsAtOnce = 100

/**
 * Counts what each account adds to logs per day (UTC): in memory, since every update checks it, and stored
 * periodically. A crash loses at most the last 30 seconds of counts.
 */
export class DayCounts {
  readonly #db: Kysely<Tables>
  readonly #accounts: AccountFinder
  readonly #now: () => number
  #day = 0
  #byWriter = new Map<string, DayCount>()
  #byAccount = new Map<Account, DayCount>()
  #timer: NodeJS.Timeout | undefined
  #unsaved = 0
  #saving: Promise<void> = Promise.resolve()

  constructor(db: Kysely<Tables>, accounts: AccountFinder, now: () => number) {
    this.#db = db
    this.#accounts = accounts
    this.#now = now
  }

  /** The count of a writer on a day, by default today. Starts to load its stored part, for which `load` waits. */
  of(writer: Writer, today = dayOf(this.#now())): DayCount {
    this.#startDay(today)
    const key = writerOf(writer)
    let count = this.#byWriter.get(key)
    if (!count) {
      count = { bytes: 0, account: undefined, isLoaded: false, unsaved: 0, loading: undefined }
      this.#byWriter.set(key, count)
    }
    // If the store fails, the next update tries again.
    if (!count.isLoaded && !count.loading) this.#start(count, key, writer)
    return count
  }

  /** The count of a writer including its stored part. Rejects if the store fails. */
  async load(writer: Writer): Promise<DayCount> {
    await this.of(writer).loading
    const count = this.of(writer)
    await count.loading
    if (!count.isLoaded) throw new Error('what was written today could not be read')
    return count
  }

  add(count: DayCount, bytes: number): void {
    count.bytes += bytes
    count.unsaved += bytes
    this.#unsaved += bytes
    if (this.#unsaved >= saveAfterBytes) void this.save()
    this.#timer ??= setTimeout(() => void this.save(), saveAfterMs).unref()
  }

  /** Stores the counts. Never rejects: counts that can't be stored are kept for the next call. */
  save(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unsaved = 0
    this.#saving = this.#saving.then(() => this.#save(this.#day, [...this.#byAccount.values()]))
    return this.#saving
  }

  #start(count: DayCount, key: string, writer: Writer): void {
    const day = this.#day
    const loading = this.#load(count, key, writer, day).catch(() => undefined)
    count.loading = loading.finally(() => (count.loading = undefined))
  }

  async #load(count: DayCount, key: string, writer: Writer, day: number): Promise<void> {
    const { actor, run } = writer
    const account = count.account ?? (run === null ? await this.#accounts.of(actor) : await this.#accounts.ofRun(run))
    if (day !== this.#day) return
    const other = account && this.#byAccount.get(account)
    if (other && other !== count) {
      // Another writer of the same account was loaded first: the counts are merged.
      other.bytes += count.bytes
      other.unsaved += count.unsaved
      this.#byWriter.set(key, other)
      return
    }
    if (account) {
      count.account = account
      this.#byAccount.set(account, count)
      const row = await this.#db
        .selectFrom('log_days')
        .select('bytes')
        .where('account', '=', account)
        .where('day', '=', day)
        .executeTakeFirst()
      count.bytes += Number(row?.bytes ?? 0)
    }
    count.isLoaded = true
  }

  /** On a new day, stores the remaining counts of the previous day and starts new ones. */
  #startDay(today: number): void {
    if (today === this.#day) return
    if (this.#byAccount.size > 0) void this.save()
    this.#day = today
    this.#byWriter = new Map()
    this.#byAccount = new Map()
  }

  async #save(day: number, counts: DayCount[]): Promise<void> {
    const dirty = counts.filter(({ unsaved }) => unsaved > 0)
    for (let at = 0; at < dirty.length; at += rowsAtOnce) {
      const part = dirty.slice(at, at + rowsAtOnce).map((count) => ({ count, bytes: count.unsaved }))
      for (const { count } of part) count.unsaved = 0
      try {
        const rows = part.flatMap(({ count: { account }, bytes }) => (account ? [{ account, day, bytes }] : []))
        await this.#db
          .insertInto('log_days')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['account', 'day'])
              .doUpdateSet((eb) => ({ bytes: eb('log_days.bytes', '+', eb.ref('excluded.bytes')) })),
          )
          .execute()
      } catch {
        // The same error rejects the writes of updates, and is logged there.
        for (const { count, bytes } of part) count.unsaved += bytes
      }
    }
  }
}
