import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { failure, type ToolFailure } from '@copydesk/tools'
import { fileTypeFromBuffer } from 'file-type'
import { Agent, buildConnector, type Dispatcher, fetch } from 'undici'
import ipaddr from 'ipaddr.js'
import { orThrow, type Refusal, refuse } from '../common/refusal.ts'
import type { Account } from '../quotas/account.ts'
import type { ImageQuota } from '../quotas/image-quota.ts'
import { privateFile, privateFolder } from '../common/private-files.ts'

export const imageLimit = 10 * 1024 * 1024

// Formats that browsers display and that can't contain scripts: no SVG.
const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}
/** The file names of stored images. */
export const imageNamePattern = /^[0-9a-f]{32}\.(png|jpg|gif|webp|avif)$/
const fetchWithinMs = 10_000
const redirects = 5
const tooLarge = refuse('too_large', 'An image has at most 10 MiB.', 'Make it smaller.')
const otherHint = 'Use the address of an image itself, such as search_image gives.'

export type ImagesOptions = {
  directory: string
  quota: ImageQuota
  createId: () => string
  /** The IP addresses that images may be fetched from; by default those of the public internet. */
  isAllowed?: (address: string) => boolean
}

/**
 * Images of documents: files under `<directory>/<document>`, named after the hash of their content, so that equal
 * images are stored once. Accepts only content detected as PNG, JPEG, GIF, WebP or AVIF, up to 10 MiB.
 */
export class Images {
  readonly #options: ImagesOptions
  #agent: Dispatcher | undefined
  constructor(options: ImagesOptions) {
    this.#options = options
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
    // Readers see the complete file or none.
    const unfinished = join(folder, `${this.#options.createId()}.part`)
    try {
      await writeFile(unfinished, bytes, { mode: privateFile })
      const image = { document, name, bytes: bytes.byteLength }
      const stored = await quota.store(image, person, () => rename(unfinished, join(folder, name)))
      return stored.ok ? { ok: true, url: `/api/documents/${document}/images/${name}` } : stored
    } finally {
      // Removes the temporary file after a failure, so that it does not fill the disk.
      await rm(unfinished, { force: true }).catch(() => undefined)
    }
  }

  /**
   * Stores images of a document for another one, too, as added by a person. Names that it doesn't have are skipped.
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
      orThrow(await quota.storeFor(image, account, () => linkOrCopy(source, target)))
    }
  }

  /** Deletes all images of a document. */
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
    try {
      const room = await this.room(document, person, 0)
      if (!room.ok) return noRoom(room)
      const bytes = await this.#download(address)
      if (!(bytes instanceof Uint8Array)) return bytes
      const stored = await this.store(document, bytes, person)
      if (!stored.ok && stored.code === 'quota_exceeded') return noRoom(stored)
      return stored.ok ? stored : failure('invalid_input', `${address} is not an image that can be shown.`, otherHint)
    } catch (error) {
      if (isForbidden(error)) {
        return failure('denied', `${address} is not on the public internet.`, otherHint)
      }
      const isSlow = error instanceof Error && error.name === 'TimeoutError'
      const reason = isSlow ? 'took too long' : 'could not be reached'
      return failure('unavailable', `${address} ${reason}.`, `Try once more, or use another image. ${otherHint}`)
    }
  }

  async #download(address: string): Promise<Uint8Array | ToolFailure> {
    this.#agent ??= createGuardedAgent(this.#options.isAllowed ?? isPublicAddress, fetchWithinMs)
    const signal = AbortSignal.timeout(fetchWithinMs)
    let url = readAddress(address)
    for (let hop = 0; url && hop <= redirects; hop++) {
      const headers = { accept: 'image/*' }
      const response = await fetch(url, { dispatcher: this.#agent, redirect: 'manual', signal, headers })
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel()
        url = readAddress(location, url)
        continue
      }
      if (!response.ok) {
        await response.body?.cancel()
        return failure('not_found', `${address} answered ${response.status}.`, otherHint)
      }
      return readLimited(response.body ?? [], address)
    }
    return failure('invalid_input', `${address} is not the address of an image.`, otherHint)
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  // Not every file system has hard links.
  await link(source, target).catch(() => copyFile(source, target))
}

function noRoom({ message, hint }: Refusal): ToolFailure {
  return failure('too_large', message, `Leave the image out and tell the person: ${hint}`)
}

function readAddress(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

async function readLimited(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  address: string,
): Promise<Uint8Array | ToolFailure> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.byteLength
    if (length > imageLimit) return failure('too_large', `${address} has more than 10 MiB.`, 'Use a smaller image.')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

function isForbidden(error: unknown): boolean {
  if (error instanceof ForbiddenAddressError) return true
  return error instanceof Error && isForbidden(error.cause)
}

/** A connection that was refused because it would have gone to this machine or into its network. */
class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** Whether an IP address is on the public internet: not loopback, private, link-local or another special range. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/**
 * Creates an HTTP agent for untrusted URLs. It checks the IP address of each connection, after DNS resolution, so that
 * neither a redirect nor DNS rebinding reaches the internal network.
 */
function createGuardedAgent(isAllowed: (address: string) => boolean, timeoutMs: number): Agent {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const forbidden = addresses?.find(({ address }) => !isAllowed(address))
      const [first] = addresses ?? []
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '', 4)
      if (forbidden) return callback(new ForbiddenAddressError(hostname), '', 4)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
  const connector = buildConnector({ timeout: timeoutMs, lookup: guardedLookup })
  return new Agent({
    connect(options, callback) {
      // A literal IP address in the URL causes no lookup, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (ipaddr.isValid(host) && !isAllowed(host)) return callback(new ForbiddenAddressError(host), null)
      connector(options, callback)
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
}
