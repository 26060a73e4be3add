import { extname } from 'node:path'
import { failure, type ToolFailure, type WebHost, type WebPage, localizable } from '@copydesk/tools'
import { ThreadTimeoutError, ThreadWorker } from '../threads/thread-worker.ts'
import type { Fetched, GuardedFetch } from './guarded-fetch.ts'
import type { PageRequest, PageResponse } from './page-thread.ts'

const pageLimit = 3 * 1024 * 1024
const fetchWithinMs = 15_000
// A run often continues to read a page that it has read recently.
const keptPages = 5

type Page = Awaited<ReturnType<WebHost['readPage']>>

/**
 * Reads web pages in a worker thread, with limits of size and time, because a page can be built to be slow to parse.
 */
export class PageReader {
  readonly #fetch: GuardedFetch
  readonly #readWithinMs: number
  readonly #thread = new ThreadWorker<PageRequest, PageResponse>(
    new URL(`./page-thread${extname(import.meta.url)}`, import.meta.url),
  )

  /** `readWithinMs`: the longest time that the thread may work on one page. */
  constructor(fetch: GuardedFetch, readWithinMs = 5_000) {
    this.#fetch = fetch
    this.#readWithinMs = readWithinMs
  }

  /** Creates a reader for one run, which caches the last pages that it has read. */
  forRun(signal: AbortSignal): (url: string) => Promise<Page> {
    const kept = new Map<string, WebPage>()
    return async (url) => {
      const known = kept.get(url)
      if (known) return { ok: true, page: known }
      const read = await this.read(url, signal)
      if (!read.ok) return read
      kept.set(url, read.page)
      const [oldest] = kept.keys()
      if (kept.size > keptPages && oldest !== undefined) kept.delete(oldest)
      return read
    }
  }

  /** Fetches and reads a page. Rejects only if `signal` is aborted. */
  async read(address: string, signal: AbortSignal): Promise<Page> {
    const accept = 'text/html, application/xhtml+xml, text/plain;q=0.8, text/markdown;q=0.8'
    const limits = { accept, limit: pageLimit, timeoutMs: fetchWithinMs }
    const fetched = await this.#fetch(address, limits, signal)
    if (!fetched.ok) return notFetched(fetched)
    const { bytes, type, url } = fetched
    const [mime = ''] = type.toLowerCase().split(';')
    const isPage = /^(?:text\/html|application\/xhtml\+xml|)$/.test(mime.trim())
    if (!isPage && !/^(?:text\/|application\/(?:json|xml)$)/.test(mime.trim())) {
      const hint = 'Only pages and plain text can be read here. Look for a page with the same content.'
      return failure('invalid_operation', localizable`That is no page, but ${mime.trim().slice(0, 80)}.`, hint)
    }
    const text = decode(bytes, type)
    if (!isPage) return { ok: true, page: { url, title: '', text } }
    try {
      return { ok: true, page: { url, ...(await this.#thread.ask({ html: text, url }, this.#readWithinMs)) } }
    } catch (error) {
      const reason = error instanceof ThreadTimeoutError ? 'takes too long to read' : 'can’t be read'
      return failure('unavailable', localizable`The page ${reason}.`, 'Trying again does not help. Use another page.')
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}

// Browsers find the encoding in the same way; here only the beginning of the page is searched for it.
function decode(bytes: Uint8Array, type: string): string {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const label = /charset\s*=\s*["']?([\w.:-]+)/i
  const name = label.exec(type)?.[1] ?? label.exec(/<meta[^>]*charset[^>]*>/i.exec(start)?.[0] ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(name).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function notFetched(fetched: Exclude<Fetched, { ok: true }>): ToolFailure {
  const other = 'Use another page, or tell the person.'
  switch (fetched.reason) {
    case 'inside':
      return failure('denied', 'That address is not on the public internet.', other)
    case 'address':
      return failure('invalid_input', 'That is not the address of a page, or it leads nowhere.', other)
    case 'status':
      return failure(
        fetched.status >= 500 ? 'unavailable' : 'not_found',
        localizable`The page answered ${fetched.status}.`,
        other,
      )
    case 'too-large':
      return failure('too_large', 'The page has more than 3 MiB.', other)
    case 'slow':
      return failure('unavailable', localizable`The page did not come within ${fetchWithinMs / 1000} seconds.`, other)
    case 'unreachable':
      return failure('unavailable', 'The page could not be reached.', localizable`Check the address. ${other}`)
  }
}
