import type { Transaction } from 'kysely'
import * as Y from 'yjs'
import type { Signals } from '../signals.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
import { type Replica, ReplicaCache } from './replica-cache.ts'
import type { UpdateLog } from './update-log.ts'

/** Who a server's own write is attributed to. */
export type WriteAuthor = { actor: string; run?: string }

/** What a change function gets: the document at the log's head and the SQL transaction that everything goes into. */
export type WriteScope = { doc: Y.Doc; trx: Transaction<Tables> }

/** The same for several documents, by name. */
export type WriteManyScope = { docs: ReadonlyMap<string, Y.Doc>; trx: Transaction<Tables> }

/** One of several changes that are stored together, each under an author of its own. */
export type AuthoredChange<T> = { author: WriteAuthor; change: (scope: WriteManyScope) => Promise<T> | T }

type Written = { name: string; seq: number; update: Uint8Array; author: WriteAuthor }

/**
 * The one way in which the server itself changes a document, from any thread or process: lock the log's row, bring a
 * replica to the log's head, change it, store the update and whatever rows belong to it in one SQL transaction, and
 * only then tell the node that has the document open. Needs no open document.
 */
export class DocumentTransactions {
  readonly #store: Store
  readonly #log: UpdateLog
  readonly #signals: Signals
  readonly #now: () => number
  readonly #replicas = new ReplicaCache({ documents: 64 })
  /** Settles when the last write that was asked for is over. */
  #last: Promise<unknown> = Promise.resolve()
  #going = 0
  #waiting: (() => void)[] = []

  constructor(store: Store, log: UpdateLog, signals: Signals, now: () => number) {
    this.#store = store
    this.#log = log
    this.#signals = signals
    this.#now = now
  }

  /**
   * Resolves when no write of this thread is under way. Others wait for the store while one is, so work that holds up
   * the event loop should begin only then.
   */
  async idle(): Promise<void> {
    while (this.#going > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /**
   * Runs `change` and stores what it did to the document. Throws what `change` throws, with nothing stored. Throws if
   * there is no log of this name.
   */
  write<T>(name: string, author: WriteAuthor, change: (scope: WriteScope) => Promise<T> | T): Promise<T> {
    return this.writeMany([name], author, ({ docs, trx }) => {
      const doc = docs.get(name)
      if (!doc) throw new Error(`no log ${name}`)
      return change({ doc, trx })
    })
  }

  /** Like `write`, for several documents in one SQL transaction. */
  async writeMany<T>(
    names: readonly string[],
    author: WriteAuthor,
    change: (scope: WriteManyScope) => Promise<T> | T,
  ): Promise<T> {
    const [result] = await this.writeEach(names, [{ author, change }])
    // One change has one result, which may well be undefined.
    return result as T
  }

  /**
   * Carries out several changes one after the other in one SQL transaction: all of them are stored, each under its own
   * author, or none if one throws. Answers their results in this order.
   */
  async writeEach<T>(names: readonly string[], changes: readonly AuthoredChange<T>[]): Promise<T[]> {
    const outcomes = await this.#inTurn(() => this.#transact(names, changes))
    for (const written of outcomes.flatMap((outcome) => outcome.written)) {
      this.#signals.publish({ kind: 'log', ...written })
    }
    return outcomes.map(({ result }) => result)
  }

  /**
   * One write after the other: what one leaves in a replica may still be rolled back, and nobody else may build on it.
   */
  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(write)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #transact<T>(
    names: readonly string[],
    changes: readonly AuthoredChange<T>[],
  ): Promise<{ result: T; written: Written[] }[]> {
    const { db } = this.#store
    // What isn't in memory yet is loaded before the transaction, in which everybody else's edits wait.
    for (const name of names) if (!this.#replicas.has(name)) await this.#loadReplica(db, name)
    this.#going += 1
    try {
      return await db.transaction().execute(async (trx) => {
        const outcomes: { result: T; written: Written[] }[] = []
        for (const { author, change } of changes) outcomes.push(await this.#writeIn(trx, names, author, change))
        return outcomes
      })
    } catch (error) {
      // The replicas may hold what was rolled back.
      for (const name of names) this.#replicas.delete(name)
      throw error
    } finally {
      this.#going -= 1
      if (this.#going === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  async #writeIn<T>(
    trx: Transaction<Tables>,
    names: readonly string[],
    author: WriteAuthor,
    change: (scope: WriteManyScope) => Promise<T> | T,
  ): Promise<{ result: T; written: Written[] }> {
    const docs = new Map<string, Y.Doc>()
    const updates = new Map<string, Uint8Array[]>()
    const stops: (() => void)[] = []
    for (const name of names) {
      const { doc } = await this.#replicaAtHead(trx, name)
      const list: Uint8Array[] = []
      const collect = (update: Uint8Array): void => {
        list.push(update)
        updates.set(name, list)
      }
      doc.on('update', collect)
      stops.push(() => doc.off('update', collect))
      docs.set(name, doc)
    }
    try {
      const result = await change({ docs, trx })
      const written: Written[] = []
      for (const [name, list] of updates) written.push(await this.#append(trx, name, Y.mergeUpdates(list), author))
      return { result, written }
    } finally {
      for (const stop of stops) stop()
    }
  }

  async #append(trx: Transaction<Tables>, name: string, update: Uint8Array, author: WriteAuthor): Promise<Written> {
    const { seq } = await trx
      .updateTable('logs')
      .set((eb) => ({ seq: eb('seq', '+', 1) }))
      .where('name', '=', name)
      .returning('seq')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('document_updates')
      .values({ name, seq, bytes: update, actor: author.actor, run: author.run ?? null, at: this.#now() })
      .execute()
    const replica = this.#replicas.get(name)
    if (replica) replica.seq = seq
    return { name, seq, update, author }
  }

  async #replicaAtHead(trx: Transaction<Tables>, name: string): Promise<Replica> {
    const cached = this.#replicas.get(name)
    if (cached) {
      for (const row of await this.#log.rowsAfter(name, cached.seq, trx)) {
        Y.applyUpdate(cached.doc, row.bytes)
        cached.seq = row.seq
      }
      return cached
    }
    return this.#loadReplica(trx, name)
  }

  async #loadReplica(db: Store['db'], name: string): Promise<Replica> {
    const loaded = await this.#log.load(name, db)
    if (!loaded) throw new Error(`no log ${name}`)
    const replica = { doc: loaded.doc, seq: loaded.seq }
    this.#replicas.set(name, replica)
    return replica
  }
}
