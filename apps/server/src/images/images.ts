import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type ToolFailure, localizable } from '@copydesk/tools'
import { fileTypeFromBuffer } from 'file-type'
import { orThrow, type Refusal, refuse } from '../common/errors.ts'
import type { Account } from '../quotas/account.ts'
import type { ImageQuota } from '../quotas/image-quota.ts'
import { privateFile, privateFolder } from '../common/private-files.ts'
import { createGuardedFetch, type Fetched, type GuardedFetch } from '../web/guarded-fetch.ts'

export const imageLimit = 10 * 1024 * 1024

// Formats that browsers display and that can't contain scripts: no SVG.
const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}
export const imageNamePattern = /^[0-9a-f]{32}\.(png|jpg|gif|webp|avif)$/
const fetchWithinMs = 10_000
const tooLarge = refuse('too_large', 'An image has at most 10 MiB.', 'Make it smaller.')
const otherHint = 'Use the address of an image itself.'

export type ImagesOptions = {
  directory: string
  quota: ImageQuota
  createId: () => string
  /** Fetches images for agents; by default only from the public internet. */
  fetch?: GuardedFetch
}

/**
 * Images of documents: files under `<directory>/<document>`, named after the hash of their content, so that equal
 * images are stored once. Accepts only content detected as PNG, JPEG, GIF, WebP or AVIF, up to 10 MiB.
 */
export class Images {
  readonly #options: ImagesOptions & { fetch: GuardedFetch }
  constructor(options: ImagesOptions) {
    this.#options = { ...options, fetch: options.fetch ?? createGuardedFetch({}) }
  }

  /** The root folder of images, with one folder per document. */
  get directory(): string {
    return this.#options.directory
  }

  /**
   * Whether a person may add an image of `bytes` to a document, and the maximum size in bytes. For a check before the
   * upload.
   */
  async room(document: string, person: string, bytes: number): Promise<{ ok: true; bytes: number } | Refusal> {
    if (bytes > imageLimit) return tooLarge
    const room = await this.#options.quota.room(document, person, bytes)
    return room.ok ? { ok: true, bytes: Math.min(room.bytes, imageLimit) } : room
  }

  /** Stores an image that a person adds to a document; returns the URL path for the document. */
  async store(document: string, bytes: Uint8Array, person: string): Promise<{ ok: true; url: string } | Refusal> {
    const type = bytes.byteLength > imageLimit ? undefined : await fileTypeFromBuffer(bytes)
    if (bytes.byteLength > imageLimit) return tooLarge
    if (!type || !(type.ext in types)) {
      return refuse(
        'unsupported_media_type',
        'This is not an image that can be shown.',
        'Send PNG, JPEG, GIF, WebP or AVIF.',
      )
    }
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${type.ext}`
    const { directory, quota } = this.#options
    const folder = join(directory, document)
    await mkdir(folder, { recursive: true, mode: privateFolder })
    // Readers see the complete file or no file.
    const unfinished = join(folder, `${this.#options.createId()}.part`)
    try {
      await writeFile(unfinished, bytes, { mode: privateFile })
      const image = { document, name, bytes: bytes.byteLength }
      const account = await quota.accountOf(person)
      const stored = await quota.store(image, account, () => rename(unfinished, join(folder, name)))
      return stored.ok ? { ok: true, url: `/api/documents/${document}/images/${name}` } : stored
    } finally {
      // Removes the temporary file after a failure, so that it does not fill the disk.
      await rm(unfinished, { force: true }).catch(() => undefined)
    }
  }

  /**
   * Also stores images of a document for another one, as added by a person. Names that the first document doesn't have
   * are skipped.
   * @throws RequestError `quota_exceeded`.
   */
  async share(from: string, to: string, names: readonly string[], person: string): Promise<void> {
    await this.shareFor(from, to, names, await this.#options.quota.accountOf(person))
  }

  /** As `share`, counted for an account. */
  async shareFor(from: string, to: string, names: readonly string[], account: Account): Promise<void> {
    const { directory, quota } = this.#options
    for (const name of names) {
      const source = join(directory, from, name)
      const found = imageNamePattern.test(name) ? await stat(source).catch(() => undefined) : undefined
      if (!found) continue
      await mkdir(join(directory, to), { recursive: true, mode: privateFolder })
      const target = join(directory, to, name)
      const image = { document: to, name, bytes: found.size }
      orThrow(await quota.store(image, account, () => linkOrCopy(source, target)))
    }
  }

  async removeAll(document: string): Promise<void> {
    await this.#options.quota.removeAll(document)
    await rm(join(this.#options.directory, document), { recursive: true, force: true })
  }

  /** A stored image; `undefined` for an unknown name. */
  async read(document: string, name: string): Promise<{ bytes: Uint8Array; type: string } | undefined> {
    const type = types[imageNamePattern.exec(name)?.[1] ?? '']
    if (type === undefined) return undefined
    try {
      return { bytes: await readFile(join(this.#options.directory, document, name)), type }
    } catch {
      return undefined
    }
  }

  /**
   * Fetches an image for an agent, checks it and stores it as added by the person who called the agent. Refuses
   * addresses inside the server's network.
   */
  async fetch(document: string, address: string, person: string): Promise<{ ok: true; url: string } | ToolFailure> {
    const room = await this.room(document, person, 0)
    if (!room.ok) return noRoom(room)
    const limits = { accept: 'image/*', limit: imageLimit, timeoutMs: fetchWithinMs }
    const fetched = await this.#options.fetch(address, limits)
    if (!fetched.ok) return notFetched(address, fetched)
    const stored = await this.store(document, fetched.bytes, person)
    if (!stored.ok && stored.code === 'quota_exceeded') return noRoom(stored)
    return stored.ok
      ? stored
      : failure('invalid_input', localizable`${address} is not an image that can be shown.`, otherHint)
  }
}

function notFetched(address: string, fetched: Exclude<Fetched, { ok: true }>): ToolFailure {
  const failed = (what: string): ToolFailure =>
    failure(
      'unavailable',
      localizable`${address} ${what}.`,
      localizable`Try once more, or use another image. ${otherHint}`,
    )
  switch (fetched.reason) {
    case 'inside':
      return failure('denied', localizable`${address} is not on the public internet.`, otherHint)
    case 'address':
      return failure('invalid_input', localizable`${address} is not the address of an image.`, otherHint)
    case 'status':
      return failure('not_found', localizable`${address} answered ${fetched.status}.`, otherHint)
    case 'too-large':
      return failure('too_large', localizable`${address} has more than 10 MiB.`, 'Use a smaller image.')
    case 'slow':
      return failed('took too long')
    case 'unreachable':
      return failed('could not be reached')
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  // Not every file system has hard links.
  await link(source, target).catch(() => copyFile(source, target))
}

function noRoom({ message, hint }: Refusal): ToolFailure {
  return failure('too_large', message, localizable`Leave the image out and tell the person: ${hint}`)
}
