import { parseDocumentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import type { Refusal } from '../common/errors.ts'
import type { Signals } from '../common/signals.ts'
import type { Tables } from '../store/tables.ts'
import type { AccountFinder } from './account.ts'
import { type DayCount, DayCounts, dayOf, type Writer } from './day-counts.ts'
import { databaseBytes, documentLogBytes, rowOverhead } from './log-sizes.ts'
import { mebibyte, quotaExceeded, type Quotas } from './quotas.ts'

export type LogQuotaDeps = { db: Kysely<Tables>; quotas: Quotas; accounts: AccountFinder; now: () => number }

/** There is room, or a refusal that names the exceeded quota. */
export type Room = { ok: true } | Refusal

type DocumentCount = { bytes: number; isLoaded: boolean; loading: Promise<void> | undefined }

const documentsAtMost = 10_000
const measureEveryMs = 60_000
const measureAfterBytes = 8 * mebibyte
// Repairs (undo, a decision, restoring a version) have this multiple of the quota, so that they work when new content
// is refused.
const repairFactor = 2

/**
 * The quotas of logs: per document, per account and day, and for the whole database. Checked before an update is
 * appended, synchronously against counts in memory. A count that isn't loaded yet, on the first update of a document or
 * writer, counts as having room.
 */
export class LogQuota {
  readonly #deps: LogQuotaDeps
  readonly #days: DayCounts
  readonly #documents = new Map<string, DocumentCount>()
  #database = { bytes: 0, added: 0, measuredAt: -Infinity, measuring: undefined as Promise<void> | undefined }
  #countedOn = 0
  #unsubscribe: (() => void) | undefined

  constructor(deps: LogQuotaDeps) {
    this.#deps = deps
    this.#days = new DayCounts(deps.db, deps.accounts, deps.now)
  }

  /** Whether an update of `bytes` may be appended to a document's log; if so, it is counted. `document` is its id. */
  admit(document: string, writer: Writer, bytes: number): Room {
    // Every update calls this, so the clock is read only once.
    const now = this.#deps.now()
    const [count, day] = [this.#document(document, now), this.#days.of(writer, dayOf(now))]
    const used = this.#exceeded(count, day, bytes + rowOverhead, 1)
    if (used) return quotaExceeded(used, this.#deps.quotas)
    this.#count(count, day, bytes, now)
    return { ok: true }
  }

  /** Counts writes that can't be refused, such as those of the server itself on behalf of a person. */
  note(document: string, writer: Writer, bytes: number): void {
    const now = this.#deps.now()
    this.#count(this.#document(document, now), this.#days.of(writer, dayOf(now)), bytes, now)
  }

  /**
   * Whether this writer's quota, and the quota of `document` if it is given, allow another write. The server checks it
   * before a write of its own. `isRepair` doubles the quota. Rejects if the store fails.
   */
  async room(document: string | undefined, writer: Writer, isRepair = false): Promise<Room> {
    const day = await this.#days.load(writer)
    const now = this.#deps.now()
    const count = document === undefined ? undefined : this.#document(document, now)
    await count?.loading
    this.#refreshDatabaseSize(now)
    await this.#database.measuring
    const used = this.#exceeded(count, day, rowOverhead, isRepair ? repairFactor : 1)
    return used ? quotaExceeded(used, this.#deps.quotas) : { ok: true }
  }

  /** Counts writes of the server itself, in any thread, until `close`. */
  follow(signals: Signals): void {
    this.#unsubscribe ??= signals.subscribe((signal) => {
      if (signal.kind !== 'log' || !signal.author) return
      const { actor, run = null } = signal.author
      const document = parseDocumentName(signal.name)?.document
      if (document !== undefined) this.note(document, { actor, run }, signal.update.byteLength)
    })
  }

  /** Stores today's counts. */
  async save(): Promise<void> {
    await this.#days.save()
  }

  /** Stops following signals and stores the counts. May be called twice. */
  async close(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    await this.save()
  }

  #exceeded(
    document: DocumentCount | undefined,
    day: DayCount,
    bytes: number,
    factor: number,
  ): keyof Quotas | undefined {
    const { quotas } = this.#deps
    const isOver = (used: number, name: keyof Quotas): boolean => used + bytes > quotas[name] * factor * mebibyte
    if (document && isOver(document.bytes, 'logMiBPerDocument')) return 'logMiBPerDocument'
    const daily = day.account?.startsWith('link:') ? 'logMiBPerLinkAndDay' : 'logMiBPerPersonAndDay'
    if (isOver(day.bytes, daily)) return daily
    const { bytes: file, added } = this.#database
    return isOver(file + added, 'databaseMiBOfServer') ? 'databaseMiBOfServer' : undefined
  }

  #count(document: DocumentCount, day: DayCount, bytes: number, now: number): void {
    const all = bytes + rowOverhead
    document.bytes += all
    this.#days.add(day, all)
    this.#database.added += all
    this.#refreshDatabaseSize(now)
  }

  #document(id: string, now: number): DocumentCount {
    // Merging rows may have shrunk logs, so the sizes of documents are read again every day.
    const today = dayOf(now)
    if (today !== this.#countedOn || this.#documents.size > documentsAtMost) this.#documents.clear()
    this.#countedOn = today
    let count = this.#documents.get(id)
    if (!count) {
      count = { bytes: 0, isLoaded: false, loading: undefined }
      this.#documents.set(id, count)
    }
    if (!count.isLoaded && !count.loading) {
      const loading = this.#load(id, count).catch(() => undefined)
      count.loading = loading.finally(() => (count.loading = undefined))
    }
    return count
  }

  async #load(id: string, count: DocumentCount): Promise<void> {
    // An update that is being written may be counted twice until the next day.
    count.bytes += await documentLogBytes(this.#deps.db, id)
    count.isLoaded = true
  }

  #refreshDatabaseSize(now: number): void {
    const { added, measuredAt, measuring } = this.#database
    const isFresh = now - measuredAt < measureEveryMs && added < measureAfterBytes
    if (isFresh || measuring) return
    const measure = async (): Promise<void> => {
      const bytes = await databaseBytes(this.#deps.db)
      this.#database = { bytes, added: 0, measuredAt: this.#deps.now(), measuring: undefined }
    }
    this.#database.measuring = measure().catch(() => {
      // The next update tries again.
      this.#database.measuring = undefined
    })
  }
}
