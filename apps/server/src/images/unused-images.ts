import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocumentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { Repetition } from '../common/repetition.ts'
import { dayMs } from '../common/time.ts'
import type { Account } from '../quotas/account.ts'
import { addImage, onDisk, removeImage } from '../quotas/image-quota.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables } from '../store/tables.ts'
import type { Versions } from '../versions/versions.ts'
import { imageNamePattern, type Images } from './images.ts'
import { MentionIndex } from './mention-index.ts'

export type UnusedImagesDeps = {
  db: Kysely<Tables>
  versions: Pick<Versions, 'catchUp'>
  images: Pick<Images, 'shareFor'>
  /** The root folder of images, see `Images`. */
  directory: string
  now: () => number
  onError: (error: unknown) => void
}

/**
 * How long an unneeded image is kept, in milliseconds: its address may still be inserted, a browser may undo its
 * deletion, cut content may be pasted.
 */
export const graceMs = 7 * dayMs
// The server has other work in the first minutes after a start.
const firstAfterMs = 5 * 60_000
const imagesAtOnce = 100

/**
 * Deletes stored images that have been unneeded for a week: not mentioned anywhere in a document (including the trash
 * and suggestions), a version, or a run that can be undone or redone. Runs in the background, once a day.
 */
export class UnusedImages extends Repetition {
  readonly #deps: UnusedImagesDeps
  readonly #index: MentionIndex

  constructor(deps: UnusedImagesDeps) {
    super({
      every: dayMs,
      first: firstAfterMs,
      longest: dayMs,
      work: async () => void (await this.collect()),
      onError: (error) => {
        if (!this.signal.aborted) deps.onError(error)
      },
    })
    this.#deps = deps
    this.#index = new MentionIndex(deps.db)
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#index.close()])
  }

  /** Runs one collection; returns the number of deleted images. */
  async collect(): Promise<number> {
    await this.#adoptFiles()
    const storedBefore = this.#deps.now() - graceMs
    let collected = 0
    let hasLooked = false
    for (let after = { document: '', name: '' }; !this.signal.aborted;) {
      const old = await this.#storedBefore(storedBefore, after)
      const last = old.at(-1)
      if (!last) break
      after = last
      // The logs are scanned only if an image is old enough.
      if (!hasLooked) await this.#index.catchUp(this.signal)
      hasLooked = true
      if (this.signal.aborted) break
      for (const image of await this.#findUnused(old)) if (await this.#delete(image, storedBefore)) collected += 1
    }
    return collected
  }

  /**
   * Stores the images of a document that is being deleted for the other documents whose text has their address. They
   * still count for the account that uploaded them.
   */
  async copyForOtherDocuments(document: string): Promise<void> {
    const { db, images } = this.#deps
    const stored = await db.selectFrom('images').select(['name', 'account']).where('document', '=', document).execute()
    const accounts = new Map(stored.map(({ name, account }) => [name, account as Account]))
    if (stored.length > 0) await this.#index.catchUp(this.signal)
    for (const names of inParts(stored.map(({ name }) => name))) {
      const shown = await db
        .selectFrom('image_mentions')
        .innerJoin('logs', 'logs.name', 'image_mentions.log')
        .innerJoin('documents', 'documents.id', 'logs.document')
        .select(['image_mentions.name', 'image_mentions.log', 'image_mentions.added_seq', 'documents.id'])
        .distinct()
        .where('image_mentions.name', 'in', names)
        .where('image_mentions.removed_seq', 'is', null)
        .where('documents.id', '!=', document)
        .where('documents.deleted_at', 'is', null)
        .execute()
      for (const { name, id, log, added_seq } of shown) {
        const account = accounts.get(name)
        if (!account || !(await this.#hasAddress(log, added_seq, `/api/documents/${document}/images/${name}`))) continue
        await images.shareFor(document, id, [name], account).catch((error: unknown) => {
          // Without room for it, the image is lost, like every other image that exceeds a quota.
          if (!(error instanceof RequestError)) throw error
        })
      }
    }
  }

  /** Whether a row of a log contains an address: a name alone may belong to another image, or be typed text. */
  async #hasAddress(log: string, seq: number, address: string): Promise<boolean> {
    const row = await this.#deps.db
      .selectFrom('document_updates')
      .select('bytes')
      .where('name', '=', log)
      // Old rows are merged into later ones.
      .where('seq', '>=', seq)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    return row !== undefined && Buffer.from(row.bytes).includes(address)
  }

  async #storedBefore(time: number, after: { document: string; name: string }) {
    return this.#deps.db
      .selectFrom('images')
      .select(['document', 'name'])
      .where('stored_at', '<', time)
      .where((eb) => eb(eb.refTuple('document', 'name'), '>', eb.tuple(after.document, after.name)))
      .orderBy('document')
      .orderBy('name')
      .limit(imagesAtOnce)
      .execute()
  }

  async #findUnused<T extends { name: string }>(images: readonly T[]): Promise<T[]> {
    const { db, versions, now } = this.#deps
    const names = images.map(({ name }) => name)
    const logs = await db
      .selectFrom('image_mentions')
      .select('log')
      .distinct()
      .where('name', 'in', names)
      .where('removed_seq', 'is not', null)
      .execute()
    // Versions are computed on demand: a version from before the deletion of a mention may not exist yet.
    for (const { log } of logs) if (parseDocumentName(log)?.part === 'content') await versions.catchUp(log)
    const needed = await db
      .selectFrom('image_mentions as mention')
      .select('mention.name')
      .distinct()
      .where('mention.name', 'in', names)
      .where((eb) =>
        eb.or([
          eb('mention.removed_seq', 'is', null),
          eb('mention.removed_at', '>=', now() - graceMs),
          eb('mention.by_run', '=', 1),
          eb.exists(
            eb
              .selectFrom('versions')
              .select('versions.id')
              .whereRef('versions.document', '=', 'mention.log')
              .whereRef('versions.seq', '>=', 'mention.added_seq')
              .whereRef('versions.seq', '<', 'mention.removed_seq'),
          ),
        ]),
      )
      .execute()
    const kept = new Set(needed.map(({ name }) => name))
    return images.filter(({ name }) => !kept.has(name))
  }

  /**
   * No image is stored during the transaction: an image stored again meanwhile is either too new to be deleted, or is
   * stored after it.
   */
  async #delete({ document, name }: { document: string; name: string }, storedBefore: number): Promise<boolean> {
    const file = join(this.#deps.directory, document, name)
    return this.#deps.db.transaction().execute(async (trx) => {
      if (!(await removeImage(trx, { document, name, storedBefore }))) return false
      await rm(file, { force: true })
      return true
    })
  }

  /** Counts files that predate the image counts, and removes temporary files of uploads interrupted by a crash. */
  async #adoptFiles(): Promise<void> {
    const { db, directory, now } = this.#deps
    for (const document of await namesIn(directory)) {
      if (this.signal.aborted) return
      const owner = await db.selectFrom('documents').select('created_by').where('id', '=', document).executeTakeFirst()
      if (!owner) continue
      const rows = await db.selectFrom('images').select('name').where('document', '=', document).execute()
      const known = new Set(rows.map(({ name }) => name))
      for (const name of await namesIn(join(directory, document))) {
        if (known.has(name)) continue
        const path = join(directory, document, name)
        const found = await stat(path).catch(() => undefined)
        if (!found?.isFile()) continue
        if (name.endsWith('.part') && found.mtimeMs < now() - dayMs) await rm(path, { force: true })
        if (!imageNamePattern.test(name)) continue
        const image = { document, name, bytes: onDisk(found.size), account: `person:${owner.created_by}` }
        await db.transaction().execute((trx) => addImage(trx, { ...image, stored_at: now() }))
      }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}
