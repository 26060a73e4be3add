import { parseDocumentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import type { Refusal } from '../review/refusal.ts'
import type { Signals } from '../signals.ts'
import type { Tables } from '../store/tables.ts'
import type { AccountFinder } from './account.ts'
import { type DayCount, DayCounts, type Writer } from './day-counts.ts'
import { databaseBytes, documentLogBytes, rowOverhead } from './log-sizes.ts'
import { mebibyte, quotaExceeded, type Quotas } from './quotas.ts'

export type LogQuotaDeps = { db: Kysely<Tables>; quotas: Quotas; accounts: AccountFinder; now: () => number }

/** That there is room, or which quota is used up. */
export type Room = { ok: true } | Refusal

type DocumentCount = { bytes: number; isLoaded: boolean; loading: Promise<void> | undefined }

const documentsAtMost = 10_000
const lookEveryMs = 60_000
const lookAfterBytes = 8 * mebibyte
// What puts something right (undo, a decision, a restored version) still finds room where nothing new does.
const repairFactor = 2

/**
 * What logs of documents may take: each document's, each account's in a day, and the database as a whole. It is asked
 * before an update is appended, and answers at once from counts in memory. A count that isn't read yet has room; that
 * takes a moment, for the first update of a document or writer.
 */
export class LogQuota {
  readonly #deps: LogQuotaDeps
  readonly #days: DayCounts
  readonly #documents = new Map<string, DocumentCount>()
  #database = { bytes: 0, added: 0, lookedAt: -Infinity, looking: undefined as Promise<void> | undefined }
  #countedOn = 0
  #unsubscribe: (() => void) | undefined

  constructor(deps: LogQuotaDeps) {
    this.#deps = deps
    this.#days = new DayCounts(deps.db, deps.accounts, deps.now)
  }

  /**
   * Whether an update of `bytes` may be appended to a document's log; if so it counts from now on. `document` is its
   * id.
   */
  admit(document: string, writer: Writer, bytes: number): Room {
    const day = this.#days.of(writer)
    const used = this.#exceeded(this.#document(document), day, bytes + rowOverhead, 1)
    if (used) return quotaExceeded(used, this.#deps.quotas)
    this.#count(document, day, bytes)
    return { ok: true }
  }

  /** Counts what can't be refused, such as what the server itself writes for somebody. */
  note(document: string, writer: Writer, bytes: number): void {
    this.#count(document, this.#days.of(writer), bytes)
  }

  /**
   * Whether there is room for anything by this writer, in a document if one is named; for what the server writes
   * itself, which is asked before it begins. With `isRepair` twice as much is allowed. Rejects if the store fails.
   */
  async room(document: string | undefined, writer: Writer, isRepair = false): Promise<Room> {
    const day = await this.#days.load(writer)
    const count = document === undefined ? undefined : this.#document(document)
    await count?.loading
    this.#lookAtDatabase()
    await this.#database.looking
    const used = this.#exceeded(count, day, rowOverhead, isRepair ? repairFactor : 1)
    return used ? quotaExceeded(used, this.#deps.quotas) : { ok: true }
  }

  /** Counts what the server writes itself, in whichever thread, from now on until `close`. */
  follow(signals: Signals): void {
    this.#unsubscribe ??= signals.subscribe((signal) => {
      if (signal.kind !== 'log' || !signal.author) return
      const { actor, run = null } = signal.author
      const document = parseDocumentName(signal.name)?.document
      if (document !== undefined) this.note(document, { actor, run }, signal.update.byteLength)
    })
  }

  /** Stores what was counted today. */
  async save(): Promise<void> {
    await this.#days.save()
  }

  /** Follows and counts no longer, and stores what was counted. May be called twice. */
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

  #count(document: string, day: DayCount, bytes: number): void {
    const all = bytes + rowOverhead
    this.#document(document).bytes += all
    this.#days.add(day, all)
    this.#database.added += all
    this.#lookAtDatabase()
  }

  #document(id: string): DocumentCount {
    // Rows may have been merged since: what a document takes is read again every day.
    if (this.#days.today !== this.#countedOn || this.#documents.size > documentsAtMost) this.#documents.clear()
    this.#countedOn = this.#days.today
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
    // An update that is on its way to the disk may be counted twice until tomorrow.
    count.bytes += await documentLogBytes(this.#deps.db, id)
    count.isLoaded = true
  }

  #lookAtDatabase(): void {
    const { added, lookedAt, looking } = this.#database
    const isFresh = this.#deps.now() - lookedAt < lookEveryMs && added < lookAfterBytes
    if (isFresh || looking) return
    const look = async (): Promise<void> => {
      const bytes = await databaseBytes(this.#deps.db)
      this.#database = { bytes, added: 0, lookedAt: this.#deps.now(), looking: undefined }
    }
    this.#database.looking = look().catch(() => {
      // The next update asks again.
      this.#database.looking = undefined
    })
  }
}
