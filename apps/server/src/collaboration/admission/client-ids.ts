import { createHash } from 'node:crypto'
import { STRUCTURE_LIMITS } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import * as Y from 'yjs'
import { toStatement } from '../../store/sqlite/sqlite-dialect.ts'
import type { Statement } from '../../store/sqlite/sqlite-protocol.ts'
import type { Store } from '../../store/store.ts'
import type { UpdateLog } from '../../store/log/update-log.ts'
import { groupOf, type Sender, writerOf } from '../../common/identity.ts'
import { TokenBucket } from '../limits/token-bucket.ts'

type Owner = { owner: string; key: string | null }

/**
 * The owner of a Yjs client id from a sender's point of view: no owner yet, the sender, another owner, or unknown
 * although the id is in the document.
 */
export type Ownership = 'free' | 'own' | 'taken' | 'unknown'

type ClientIdsDeps = { store: Pick<Store, 'db'>; log: UpdateLog; now: () => number }

/**
 * How many client ids a person, a run or all guests of one link may introduce into a document. A page uses a new client
 * id each time it is loaded.
 */
const introducedLimit = { burst: 300, perSecond: 60 / 3600 } as const

const rowsInStatement = 200
const keyLength = { least: 16, most: 100 }

/**
 * The owners of the Yjs client ids in one document. The first sender that delivers items under an id owns it, and no
 * other sender may write under it: Yjs treats two changes with the same id and clock as equal, so a sender who writes
 * ahead under another person's id would make Yjs ignore that person's next words. The owner is an account or a run. An
 * open page that continues under another account proves with its key that it is the same page.
 */
export class ClientIds {
  readonly #deps: ClientIdsDeps
  readonly #name: string
  readonly #owners = new Map<number, Owner>()
  /**
   * Owners that were read from the log rows and may not be stored yet. They are stored together with the next new
   * owner, because a partial list would be taken for complete.
   */
  #fromLog: [number, Owner][] = []
  readonly #introduced = new Map<string, TokenBucket>()

  constructor(deps: ClientIdsDeps, name: string) {
    this.#deps = deps
    this.#name = name
  }

  /** Reads the stored owners. For a log older than this table, derives them from the log rows. May be called again. */
  async load(): Promise<void> {
    // Only the server writes the other documents.
    if (parseDocumentName(this.#name)?.part !== 'content') return
    const { db } = this.#deps.store
    const rows = await db
      .selectFrom('document_clients')
      .select(['client', 'owner', 'key_hash'])
      .where('name', '=', this.#name)
      .execute()
    for (const { client, owner, key_hash } of rows) this.#owners.set(Number(client), { owner, key: key_hash })
    if (rows.length === 0) await this.#readLog()
  }

  /**
   * The owner of an id from this sender's point of view. `isInDocument`: whether the document already contains items
   * under the id.
   */
  ownershipOf(client: number, isInDocument: boolean, sender: Sender): Ownership {
    const known = this.#owners.get(client)
    if (!known) return isInDocument ? 'unknown' : 'free'
    if (known.owner === writerOf(sender)) return 'own'
    return known.key !== null && known.key === keyOf(sender) ? 'own' : 'taken'
  }

  /** The number of ids that a sender may still introduce into a document that has `known` of their ids. */
  roomFor(sender: Sender, known: number): number {
    const left = this.#introduced.get(groupOf(sender))?.left ?? introducedLimit.burst
    return Math.max(0, Math.min(Math.floor(left), STRUCTURE_LIMITS.clientIds - known))
  }

  /** Makes the sender the owner of these ids; returns the statements that store the ownership. */
  bind(clients: readonly number[], sender: Sender): Statement[] {
    if (clients.length > 0) this.#countIntroduced(groupOf(sender), clients.length)
    const owner = { owner: writerOf(sender), key: keyOf(sender) }
    for (const client of clients) this.#owners.set(client, owner)
    if (clients.length === 0) return []
    return this.#inserts([...this.#fromLog, ...clients.map((client): [number, Owner] => [client, owner])])
  }

  /** Undoes `bind` for ids whose ownership could not be stored. */
  release(clients: readonly number[]): void {
    for (const client of clients) this.#owners.delete(client)
  }

  #countIntroduced(group: string, count: number): void {
    const bucket = this.#introduced.get(group) ?? new TokenBucket(introducedLimit, this.#deps.now)
    this.#introduced.set(group, bucket)
    bucket.take(count)
  }

  async #readLog(): Promise<void> {
    for (const { bytes, actor, run } of await this.#deps.log.rowsAfter(this.#name, 0)) {
      for (const client of clientsIn(bytes)) {
        if (!this.#owners.has(client)) this.#owners.set(client, { owner: writerOf({ actor, run }), key: null })
      }
    }
    this.#fromLog = [...this.#owners]
    // Callers don't wait for these writes.
    this.#store(this.#fromLog).catch(() => undefined)
  }

  async #store(owners: [number, Owner][]): Promise<void> {
    const { db } = this.#deps.store
    await db.transaction().execute(async (trx) => {
      for (const rows of this.#rows(owners)) {
        await trx
          .insertInto('document_clients')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
    })
    this.#fromLog = []
  }

  #inserts(owners: readonly [number, Owner][]): Statement[] {
    return this.#rows(owners).map((rows) => {
      const query = this.#deps.store.db
        .insertInto('document_clients')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
      return toStatement(query.compile())
    })
  }

  #rows(owners: readonly [number, Owner][]) {
    const at = this.#deps.now()
    const rows = owners.map(([client, { owner, key }]) => ({ name: this.#name, client, owner, key_hash: key, at }))
    return Array.from({ length: Math.ceil(rows.length / rowsInStatement) }, (_, index) =>
      rows.slice(index * rowsInStatement, (index + 1) * rowsInStatement),
    )
  }
}

/** The key of a page if it is valid, undefined otherwise. */
export function readClientKey(given: unknown): string | undefined {
  const isKey = typeof given === 'string' && given.length >= keyLength.least && given.length <= keyLength.most
  return isKey ? given : undefined
}

function keyOf({ key }: Sender): string | null {
  return key === undefined ? null : createHash('sha256').update(key).digest('base64url')
}

function clientsIn(update: Uint8Array): Iterable<number> {
  try {
    return Y.parseUpdateMeta(update).to.keys()
  } catch {
    // The log quarantines rows that can't be applied.
    return []
  }
}
