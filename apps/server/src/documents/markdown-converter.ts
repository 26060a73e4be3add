import { extname } from 'node:path'
import type { ChangesView, ExportFormat } from '@copydesk/protocol'
import { RequestError } from '../common/errors.ts'
import { ThreadLanes } from '../threads/thread-lanes.ts'
import { ThreadTimeoutError } from '../threads/thread-worker.ts'
import type { MarkdownRequest, MarkdownResponse, Seed } from './markdown-thread.ts'

// Any shorter input is converted within a second.
const longMarkdown = 64 * 1024
const longUpdates = 256 * 1024

/**
 * Converts Markdown into documents and documents into text, in worker threads: a long or hostile text blocks neither
 * the event loop nor short conversions. `costOf` (packages/schema) bounds the work beforehand; `ThreadLanes` ends a
 * conversion that is too slow nevertheless.
 */
export class MarkdownConverter {
  readonly #threads = new ThreadLanes<MarkdownRequest, MarkdownResponse>(
    new URL(`./markdown-thread${extname(import.meta.url)}`, import.meta.url),
  )

  /**
   * The first update of a new document, its title and its text for search.
   * @throws RequestError `too_large` above the limit of `costOf`, the same on every machine; `unavailable` on a timeout
   * of the thread.
   */
  async seed(markdown: string, title: string | undefined): Promise<Seed> {
    const answer = await this.#ask({ kind: 'seed', markdown, title }, markdown.length > longMarkdown)
    if (answer.kind === 'too-large') {
      const message = 'The text has more characters, lines and formatting than one document may have.'
      throw new RequestError('too_large', message, 'Split it into several documents.')
    }
    if (answer.kind !== 'seed') throw new Error('unexpected answer of the markdown thread')
    return answer
  }

  /**
   * The first update of a copy of the document with these updates, without comments and suggested changes, and the
   * names of the stored images in it: images of document `from`, with addresses in document `to`.
   * @throws RequestError `too_large` if its blocks nest too deep; and as `render`.
   */
  async copy(
    updates: readonly Uint8Array[],
    { title, from, to }: { title: string; from: string; to: string },
  ): Promise<Seed & { images: string[] }> {
    const answer = await this.#ask({ kind: 'copy', updates, title, from, to }, isLong(updates))
    if (answer.kind === 'too-large') {
      throw new RequestError(
        'too_large',
        'The blocks of this document nest too deep.',
        'Move some of them further out.',
      )
    }
    if (answer.kind !== 'copy') throw new Error('unexpected answer of the markdown thread')
    return answer
  }

  /**
   * The document with these updates, as text, with its suggested changes omitted or applied.
   * @throws RequestError `unavailable` on a timeout of the thread; an Error if the updates can't be applied or the
   * result doesn't fit the schema.
   */
  async render(updates: readonly Uint8Array[], format: ExportFormat, changes: ChangesView): Promise<string> {
    const answer = await this.#ask({ kind: 'render', updates, format, changes }, isLong(updates))
    if (answer.kind !== 'render') throw new Error('unexpected answer of the markdown thread')
    return answer.body
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }

  async #ask(request: MarkdownRequest, isLong: boolean): Promise<MarkdownResponse> {
    try {
      return await this.#threads.ask(request, isLong)
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error
      throw new RequestError('unavailable', 'The server did not finish in time.', 'Try again in a moment.')
    }
  }
}

function isLong(updates: readonly Uint8Array[]): boolean {
  return updates.reduce((sum, { byteLength }) => sum + byteLength, 0) > longUpdates
}
