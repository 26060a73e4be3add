import type { Document } from '@hocuspocus/server'

/**
 * Documents that stay open for a while after the last person has left: reading a large one from the log holds everybody up, and whoever
 * leaves is often back after a reload. So many at most; the one that was left first goes when there are more.
 */
export class Lingering {
  readonly #unload: (document: Document) => void
  readonly #forMs: number
  readonly #most: number
  readonly #timers = new Map<Document, NodeJS.Timeout>()
  readonly #over = new WeakSet<Document>()
  #isClosed = false

  /** `unload` is called when a document has been left for long enough; `keeps` then lets it go. */
  constructor(unload: (document: Document) => void, { forMs, most = 20 }: { forMs: number; most?: number }) {
    this.#unload = unload
    this.#forMs = forMs
    this.#most = most
  }

  /** Whether a document that nobody has open is to stay for now. Its time begins when this is asked first. */
  keeps(document: Document): boolean {
    if (this.#isClosed || this.#forMs === 0 || this.#over.has(document)) return false
    if (this.#timers.has(document)) return true
    const [oldest] = this.#timers.keys()
    if (oldest && this.#timers.size >= this.#most) this.#end(oldest)
    this.#timers.set(document, setTimeout(() => this.#end(document), this.#forMs).unref())
    return true
  }

  /** Somebody has the document open again. */
  comeBack(document: Document): void {
    clearTimeout(this.#timers.get(document))
    this.#timers.delete(document)
    this.#over.delete(document)
  }

  /** Keeps nothing any more. */
  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #end(document: Document): void {
    clearTimeout(this.#timers.get(document))
    this.#timers.delete(document)
    this.#over.add(document)
    this.#unload(document)
  }
}
