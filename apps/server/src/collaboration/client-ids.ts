import { createHash } from 'node:crypto'
import { STRUCTURE_LIMITS } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import * as Y from 'yjs'
import { toStatement } from '../store/sqlite-dialect.ts'
import type { Statement } from '../store/sqlite-protocol.ts'
import type { Store } from '../store/store.ts'
import type { UpdateLog } from '../store/update-log.ts'
import { groupOf, type Sender, writerOf } from './sender.ts'
import { TokenBucket } from './token-bucket.ts'

type Owner = { owner: string; key: string | null }

/**
 * What a Yjs client id is to a sender: nobody's yet, their own, somebody else's, or in the document without a known
 * owner.
 */
export type Ownership = 'free' | 'own' | 'taken' | 'unknown'

type ClientIdsDeps = { store: Pick<Store, 'db'>; log: UpdateLog; now: () => number }

/**
 * How many client ids a person, a run or all guests by a link may bring into a document: a page writes under one each
 * time that it is loaded.
 */
const broughtLimit = { burst: 300, perSecond: 60 / 3600 } as const

const rowsInStatement = 200
const keyLength = { least: 16, most: 100 }

/**
 * Who has which Yjs client id in one document: whoever first delivered something under it. Nobody else may: two changes
 * with the same id and clock are one to Yjs, and somebody who wrote ahead under the id of another would have that
 * person's next words taken for known. An id belongs to an account or a run; an open page that goes on under another
 * account proves with its key that it is the same page.
 */
export class ClientIds {
  readonly #deps: ClientIdsDeps
  readonly #name: string
  readonly #owners = new Map<number, Owner>()
  /**
   * Those that were read off the rows and may not be stored. Others are stored together with them: a list that lacks
   * some would be taken for whole.
   */
  #fromLog: [number, Owner][] = []
  readonly #brought = new Map<string, TokenBucket>()

  constructor(deps: ClientIdsDeps, name: string) {
    this.#deps = deps
    this.#name = name
  }

  /**
   * Reads what is stored. Of a log that is older than this table the ids are read off its rows. May be called again.
   */
  async load(): Promise<void> {
    // Nobody but the server writes the other documents.
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

  /** What an id is to this sender; `isInDocument`: whether something stands under it already. */
  ownershipOf(client: number, isInDocument: boolean, sender: Sender): Ownership {
    const known = this.#owners.get(client)
    if (!known) return isInDocument ? 'unknown' : 'free'
    if (known.owner === writerOf(sender)) return 'own'
    return known.key !== null && known.key === keyOf(sender) ? 'own' : 'taken'
  }

  /** How many ids a sender may still bring into a document that has `known` of them. */
  roomFor(sender: Sender, known: number): number {
    const left = this.#brought.get(groupOf(sender))?.left ?? broughtLimit.burst
    return Math.max(0, Math.min(Math.floor(left), STRUCTURE_LIMITS.clientIds - known))
  }

  /** From now on these ids are the sender's; answers what stores that. */
  bind(clients: readonly number[], sender: Sender): Statement[] {
    if (clients.length > 0) this.#countBrought(groupOf(sender), clients.length)
    const owner = { owner: writerOf(sender), key: keyOf(sender) }
    for (const client of clients) this.#owners.set(client, owner)
    if (clients.length === 0) return []
    return this.#inserts([...this.#fromLog, ...clients.map((client): [number, Owner] => [client, owner])])
  }

  /** What was to be stored with these ids wasn't. */
  release(clients: readonly number[]): void {
    for (const client of clients) this.#owners.delete(client)
  }

  #countBrought(group: string, count: number): void {
    const bucket = this.#brought.get(group) ?? new TokenBucket(broughtLimit, this.#deps.now)
    this.#brought.set(group, bucket)
    bucket.take(count)
  }

  async #readLog(): Promise<void> {
    for (const { bytes, actor, run } of await this.#deps.log.rowsAfter(this.#name, 0)) {
      for (const client of clientsIn(bytes)) {
        if (!this.#owners.has(client)) this.#owners.set(client, { owner: writerOf({ actor, run }), key: null })
      }
    }
    this.#fromLog = [...this.#owners]
    // Whoever reads doesn't wait for the disk.
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

/** A page's key as it may be used; undefined if it is none. */
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
    // A row that can't be applied is set aside elsewhere.
    return []
  }
}
