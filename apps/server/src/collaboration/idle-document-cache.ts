import type { Document } from '@hocuspocus/server'
import { countStructs } from '../store/replica-cache.ts'

type Limits = {
  /** How many milliseconds a document stays. */
  forMs: number
  documents?: number
  /** Structs of all of them, of which each takes some 600 bytes. */
  structs?: number
}

/**
 * Documents that stay open for a while after the last person has left, who is often back after a reload. The one that
 * was left first goes when there are too many, or when they are too large.
 */
export class IdleDocumentCache {
  readonly #unload: (document: Document) => void
  readonly #limits: Required<Limits>
  readonly #kept = new Map<Document, { timer: NodeJS.Timeout; structs: number }>()
  readonly #over = new WeakSet<Document>()
  #isClosed = false

  /** `unload` is called when a document has been left for long enough; `keeps` then lets it go. */
  constructor(unload: (document: Document) => void, { forMs, documents = 20, structs = 250_000 }: Limits) {
    this.#unload = unload
    this.#limits = { forMs, documents, structs }
  }

  /** Whether a document that nobody has open is to stay for now. Its time begins when this is asked first. */
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

  /** Somebody has the document open again. */
  comeBack(document: Document): void {
    clearTimeout(this.#kept.get(document)?.timer)
    this.#kept.delete(document)
    this.#over.delete(document)
  }

  /** Keeps nothing any more. */
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
