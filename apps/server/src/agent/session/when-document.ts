import type * as Y from 'yjs'

/**
 * Resolves when a document fulfils `condition`, which is checked after each transaction; rejects when `signal` is
 * aborted.
 */
export function whenDocument(doc: Y.Doc, condition: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      doc.off('afterTransaction', check)
      signal.removeEventListener('abort', check)
    }
    const check = (): void => {
      if (!signal.aborted && !condition()) return
      finish()
      if (signal.aborted) reject(new DOMException('the run was ended while it waited for the document', 'AbortError'))
      else resolve()
    }
    doc.on('afterTransaction', check)
    signal.addEventListener('abort', check)
    check()
  })
}
