import type { Kysely } from 'kysely'
import type { Sender } from '../collaboration/sender.ts'
import { writerOf } from '../collaboration/sender.ts'
import type { Tables } from '../store/tables.ts'
import type { Account, AccountFinder } from './account.ts'
import { mebibyte } from './quotas.ts'

/** What an account has written today, in bytes. Until `isLoaded` only what this process has counted. */
export type DayCount = {
  bytes: number
  account: Account | undefined
  isLoaded: boolean
  /** What isn't stored yet. */
  unsaved: number
  loading: Promise<void> | undefined
}

/** Who wrote: a person, or a run, which counts as whoever started it. */
export type Writer = Pick<Sender, 'actor' | 'run'>

const dayMs = 24 * 60 * 60_000

/** The number of the day (UTC) of a time, counted from 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs)
}

const saveAfterMs = 30_000
const saveAfterBytes = mebibyte
const rowsAtOnce = 100

/**
 * What each account adds to logs in a day (UTC): counted in memory, since every update asks, and stored now and then. A
 * crash forgets what was counted in the half minute before it.
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

  /** The number of today, counted from 1970. */
  get today(): number {
    return dayOf(this.#now())
  }

  /** The count of a writer. What was stored of it is added in a moment; `load` waits for that. */
  of(writer: Writer): DayCount {
    this.#turnPage()
    const key = writerOf(writer)
    let count = this.#byWriter.get(key)
    if (!count) {
      count = { bytes: 0, account: undefined, isLoaded: false, unsaved: 0, loading: undefined }
      this.#byWriter.set(key, count)
    }
    // Where the store fails the next update asks again.
    if (!count.isLoaded && !count.loading) this.#start(count, key, writer)
    return count
  }

  /** The same with what is stored of it. Rejects if the store fails. */
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

  /** Stores what was counted. Never rejects: what can't be stored is kept for the next time. */
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
      // Another of the account's writers was here first.
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

  /** A new day begins with nothing; what yesterday's last moments have added is stored. */
  #turnPage(): void {
    const { today } = this
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
        // Whoever writes meets the store's trouble, too, and it is logged there.
        for (const { count, bytes } of part) count.unsaved += bytes
      }
    }
  }
}
