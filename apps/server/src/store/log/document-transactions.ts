import { Mutex } from 'async-mutex'
import type { Transaction } from 'kysely'
import * as Y from 'yjs'
import type { Signals } from '../../common/signals.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { type Replica, ReplicaCache } from './replica-cache.ts'
import type { UpdateLog } from './update-log.ts'

export type WriteAuthor = { actor: string; run?: string }

/**
 * The arguments of a change function: the document at the log's head, and the SQL transaction for all its statements.
 */
export type WriteScope = { doc: Y.Doc; trx: Transaction<Tables> }

/** Like `WriteScope`, for several documents by name. */
export type WriteManyScope = { docs: ReadonlyMap<string, Y.Doc>; trx: Transaction<Tables> }

/** One of several changes that are stored together, each with its own author. */
export type AuthoredChange<T> = { author: WriteAuthor; change: (scope: WriteManyScope) => Promise<T> | T }

type Written = { name: string; seq: number; update: Uint8Array; author: WriteAuthor }

/**
 * The only path by which the server itself changes a document, from any thread or process: lock the log's row, bring a
 * replica to the log's head, change it, store the update and its related rows in one SQL transaction, and only then
 * notify the node that has the document open. The document need not be open.
 */
export class DocumentTransactions {
  readonly #store: Store
  readonly #log: UpdateLog
  readonly #signals: Signals
  readonly #now: () => number
  readonly #replicas = new ReplicaCache({ documents: 64 })
  /** Settles when the last requested write is done. */
  // The changes of a write in a replica may still be rolled back, and no other write may build on them.
  readonly #mutex = new Mutex()
  #active = 0
  #idleCallbacks: (() => void)[] = []

  constructor(store: Store, log: UpdateLog, signals: Signals, now: () => number) {
    this.#store = store
    this.#log = log
    this.#signals = signals
    this.#now = now
  }

  /**
   * Resolves when no write of this thread is in progress. Other requests to the store wait during a write, so work that
   * blocks the event loop should start only then.
   */
  async idle(): Promise<void> {
    while (this.#active > 0) await new Promise<void>((resolve) => this.#idleCallbacks.push(resolve))
  }

  /**
   * Runs `change` and stores its changes to the document.
   * @throws the errors of `change`, without storing anything.
   * @throws if there is no log of this name.
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
    // A single change has a single result, which may be undefined.
    return result as T
  }

  /**
   * Runs several changes one after the other in one SQL transaction. Stores all of them, each under its own author, or
   * none if one throws. Returns their results in the same order.
   */
  async writeEach<T>(names: readonly string[], changes: readonly AuthoredChange<T>[]): Promise<T[]> {
    const outcomes = await this.#mutex.runExclusive(() => this.#transact(names, changes))
    for (const written of outcomes.flatMap((outcome) => outcome.written)) {
      this.#signals.publish({ kind: 'log', ...written })
    }
    return outcomes.map(({ result }) => result)
  }

  async #transact<T>(names: readonly string[], changes: readonly AuthoredChange<T>[]) {
    const { db } = this.#store
    // Loads missing replicas before the transaction, since all other writes wait during it.
    for (const name of names) if (!this.#replicas.has(name)) await this.#loadReplica(db, name)
    this.#active += 1
    try {
      return await db.transaction().execute(async (trx) => {
        const outcomes: { result: T; written: Written[] }[] = []
        for (const { author, change } of changes) outcomes.push(await this.#writeIn(trx, names, author, change))
        return outcomes
      })
    } catch (error) {
      // The replicas may contain changes that were rolled back.
      for (const name of names) this.#replicas.delete(name)
      throw error
    } finally {
      this.#active -= 1
      if (this.#active === 0) for (const resolve of this.#idleCallbacks.splice(0)) resolve()
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
