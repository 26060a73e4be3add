import type { Kysely } from 'kysely'
import type { Refusal } from '../common/errors.ts'
import type { Tables } from '../store/tables.ts'
import type { Account, AccountFinder } from './account.ts'
import { mebibyte, quotaExceeded, type Quotas } from './quotas.ts'

export type ImageQuotaDeps = { db: Kysely<Tables>; quotas: Quotas; accounts: AccountFinder; now: () => number }

/** An image of a document by its file name, with its size in bytes. */
export type ImageFile = { document: string; name: string; bytes: number }

// Files occupy whole disk blocks.
const blockBytes = 4096
const removedAtOnce = 100

/** The size for which a file of this number of bytes counts. */
export function onDisk(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / blockBytes)) * blockBytes
}

/**
 * The quotas of stored images: per document, per account, per server. Counts change in the transaction that stores or
 * deletes an image. Only one such transaction runs at a time on the server, so concurrent uploads can't both use the
 * remaining room.
 */
export class ImageQuota {
  readonly #deps: ImageQuotaDeps
  constructor(deps: ImageQuotaDeps) {
    this.#deps = deps
  }

  /**
   * Whether a person may add an image of `bytes` to a document, and the room in bytes. For a check before the upload.
   */
  async room(document: string, person: string, bytes: number): Promise<{ ok: true; bytes: number } | Refusal> {
    const account = await this.#deps.accounts.of(person)
    const least = await this.#leastRoom(this.#deps.db, document, account)
    if (least.bytes < onDisk(bytes)) return quotaExceeded(least.quota, this.#deps.quotas)
    return { ok: true, bytes: least.bytes }
  }

  /**
   * Counts an image and runs `place`, which moves its file to its final path, in one transaction. An image that the
   * document already has costs nothing, and its storage time is updated. If `place` throws, nothing is counted and the
   * error is rethrown.
   */
  async store(image: ImageFile, account: Account, place: () => Promise<void>): Promise<{ ok: true } | Refusal> {
    const { db, quotas, now } = this.#deps
    const { document, name } = image
    const bytes = onDisk(image.bytes)
    return db.transaction().execute(async (trx) => {
      const known = await trx
        .updateTable('images')
        .set({ stored_at: now() })
        .where('document', '=', document)
        .where('name', '=', name)
        .returning('name')
        .executeTakeFirst()
      if (!known) {
        const least = await this.#leastRoom(trx, document, account)
        if (least.bytes < bytes) return quotaExceeded(least.quota, quotas)
        await addImage(trx, { document, name, bytes, account, stored_at: now() })
      }
      await place()
      return { ok: true as const }
    })
  }

  /** The account for which the images of a person count. */
  accountOf(person: string): Promise<Account> {
    return this.#deps.accounts.of(person)
  }

  /** Deletes the rows of all images of a document and subtracts their sizes. */
  async removeAll(document: string): Promise<void> {
    const { db } = this.#deps
    for (let left = true; left;) {
      left = await db.transaction().execute(async (trx) => {
        const images = trx.selectFrom('images').select('name').where('document', '=', document)
        const names = await images.limit(removedAtOnce).execute()
        for (const { name } of names) await removeImage(trx, { document, name, storedBefore: Number.MAX_SAFE_INTEGER })
        return names.length > 0
      })
    }
    await db.deleteFrom('image_usage').where('subject', '=', documentSubject(document)).execute()
  }

  async #leastRoom(db: Kysely<Tables>, document: string, account: Account) {
    const { quotas } = this.#deps
    const limits: [subject: string, quota: keyof Quotas][] = [
      [documentSubject(document), 'imageMiBPerDocument'],
      [account, account.startsWith('link:') ? 'imageMiBPerLink' : 'imageMiBPerPerson'],
      [serverSubject, 'imageMiBOfServer'],
    ]
    const subjects = limits.map(([subject]) => subject)
    const rows = await db.selectFrom('image_usage').selectAll().where('subject', 'in', subjects).execute()
    const used = new Map(rows.map(({ subject, bytes }) => [subject, Number(bytes)]))
    return limits
      .map(([subject, quota]) => ({ quota, bytes: quotas[quota] * mebibyte - (used.get(subject) ?? 0) }))
      .reduce((least, each) => (each.bytes < least.bytes ? each : least))
  }
}

/** The row of `image_usage` for the whole server. */
export const serverSubject = 'server'

/** The row of `image_usage` for a document. */
export function documentSubject(id: string): string {
  return `document:${id}`
}

/** Counts an image; does nothing if it is already counted. */
export async function addImage(trx: Kysely<Tables>, image: Tables['images']): Promise<void> {
  const added = await trx
    .insertInto('images')
    .values(image)
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  if (!added) return
  await trx
    .insertInto('image_usage')
    .values(subjectsOf(image).map((subject) => ({ subject, bytes: image.bytes })))
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({ bytes: eb('image_usage.bytes', '+', image.bytes) })),
    )
    .execute()
}

/** Deletes the row of an image stored before `storedBefore` and subtracts its size; returns whether there was one. */
export async function removeImage(
  trx: Kysely<Tables>,
  { document, name, storedBefore }: Pick<ImageFile, 'document' | 'name'> & { storedBefore: number },
): Promise<boolean> {
  const image = await trx
    .deleteFrom('images')
    .where('document', '=', document)
    .where('name', '=', name)
    .where('stored_at', '<', storedBefore)
    .returningAll()
    .executeTakeFirst()
  if (!image) return false
  await trx
    .updateTable('image_usage')
    .set((eb) => ({ bytes: eb('bytes', '-', image.bytes) }))
    .where('subject', 'in', subjectsOf(image))
    .execute()
  return true
}

function subjectsOf({ document, account }: Pick<Tables['images'], 'document' | 'account'>): string[] {
  return [documentSubject(document), account, serverSubject]
}
