import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseDocumentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { addImage, onDisk, removeImage } from '../quotas/image-quota.ts'
import type { Tables } from '../store/tables.ts'
import type { Versions } from '../versions/versions.ts'
import { imageNamePattern } from './images.ts'
import { MentionIndex } from './mention-index.ts'

export type UnusedImagesDeps = {
  db: Kysely<Tables>
  versions: Pick<Versions, 'catchUp'>
  /** Where images lie, see `Images`. */
  directory: string
  now: () => number
  onTrouble: (error: unknown) => void
}

const dayMs = 24 * 60 * 60_000
/**
 * How long an image that nothing needs stays: for its address to get into a text, for undo in a browser, for what was
 * cut to be pasted.
 */
export const graceMs = 7 * dayMs
// After a start there is enough to do.
const firstAfterMs = 5 * 60_000
const imagesAtOnce = 100

/**
 * Deletes stored images that nothing needs any more: that no document shows, the trash and suggestions included, no
 * version and no run that can be undone or redone, wherever their name stands, and have not for a week. Works in the
 * background, once a day.
 */
export class UnusedImages {
  readonly #deps: UnusedImagesDeps
  readonly #index: MentionIndex
  readonly #closed = new AbortController()
  #going: Promise<void> = Promise.resolve()

  constructor(deps: UnusedImagesDeps) {
    this.#deps = deps
    this.#index = new MentionIndex(deps.db)
  }

  /** Looks once in a while from now on, and every day. */
  start(): void {
    this.#going = this.#goOn()
  }

  /** Resolves when what is under way has ended. May be called twice. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#index.close()
    await this.#going
  }

  /** Looks through everything once; answers how many images were deleted. */
  async collect(): Promise<number> {
    await this.#adoptFiles()
    const storedBefore = this.#deps.now() - graceMs
    let collected = 0
    let hasLooked = false
    for (let after = { document: '', name: '' }; !this.#closed.signal.aborted;) {
      const old = await this.#storedBefore(storedBefore, after)
      const last = old.at(-1)
      if (!last) break
      after = last
      // Where no image is old enough nothing has to be read.
      if (!hasLooked) await this.#index.catchUp(this.#closed.signal)
      hasLooked = true
      if (this.#closed.signal.aborted) break
      for (const image of await this.#unneeded(old)) if (await this.#delete(image, storedBefore)) collected += 1
    }
    return collected
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#closed
    for (let after = firstAfterMs; await isOver(after, signal); after = dayMs) {
      try {
        await this.collect()
      } catch (error) {
        if (!signal.aborted) this.#deps.onTrouble(error)
      }
    }
  }

  async #storedBefore(
    time: number,
    after: { document: string; name: string },
  ): Promise<{ document: string; name: string }[]> {
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

  async #unneeded<T extends { name: string }>(images: readonly T[]): Promise<T[]> {
    const { db, versions, now } = this.#deps
    const names = images.map(({ name }) => name)
    const logs = await db
      .selectFrom('image_mentions')
      .select('log')
      .distinct()
      .where('name', 'in', names)
      .where('removed_seq', 'is not', null)
      .execute()
    // Versions are found when somebody asks for them: until then one of before a mention was deleted isn't there yet.
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
   * In the transaction nobody stores an image: one that is stored again meanwhile is either too new for this, or is
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

  /**
   * Counts files from before images were counted, and removes what uploads left unfinished when the server was killed.
   */
  async #adoptFiles(): Promise<void> {
    const { db, directory, now } = this.#deps
    for (const document of await namesIn(directory)) {
      if (this.#closed.signal.aborted) return
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

async function isOver(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal, ref: false }).catch(() => false)
}
