import type { Document } from '@hocuspocus/server'
import { countStructs } from '../../store/log/replica-cache.ts'

type Limits = {
  /** How many milliseconds a document stays open. */
  forMs: number
  documents?: number
  /** Limit on the structs of all cached documents; each takes some 600 bytes. */
  structs?: number
}

/**
 * Keeps documents open for a while after the last user has left, since users often return after a reload. If there are
 * too many documents or they are too large, closes the one whose last user left first.
 */
export class IdleDocumentCache {
  readonly #unload: (document: Document) => void
  readonly #limits: Required<Limits>
  readonly #kept = new Map<Document, { timer: NodeJS.Timeout; structs: number }>()
  readonly #over = new WeakSet<Document>()
  #isClosed = false

  /** `unload` is called when a document has been idle long enough; `keeps` then returns false for it. */
  constructor(unload: (document: Document) => void, { forMs, documents = 20, structs = 250_000 }: Limits) {
    this.#unload = unload
    this.#limits = { forMs, documents, structs }
  }

  /** Whether a document without connections stays open for now. Its time starts with the first call. */
  keeps(document: Document): boolean {
    const { forMs } = this.#limits
    if (this.#isClosed || forMs === 0 || this.#over.has(document)) return false
    if (this.#kept.has(document)) return true
    const timer = setTimeout(() => this.#end(document), forMs).unref()
    this.#kept.set(document, { timer, structs: countStructs(document) })
    for (const oldest of this.#kept.keys()) {
      if (this.#fits()) break
      if (oldest !== document) this.#end(oldest)
    }
    return true
  }

  /** A client has opened the document again. */
  noteReopened(document: Document): void {
    clearTimeout(this.#kept.get(document)?.timer)
    this.#kept.delete(document)
    this.#over.delete(document)
  }

  /** Ends the cache: `keeps` returns false from now on. */
  close(): void {
    this.#isClosed = true
    for (const { timer } of this.#kept.values()) clearTimeout(timer)
    this.#kept.clear()
  }

  #fits(): boolean {
    let structs = 0
    for (const kept of this.#kept.values()) structs += kept.structs
    return this.#kept.size <= this.#limits.documents && structs <= this.#limits.structs
  }

  #end(document: Document): void {
    clearTimeout(this.#kept.get(document)?.timer)
    this.#kept.delete(document)
    this.#over.add(document)
    this.#unload(document)
  }
}
