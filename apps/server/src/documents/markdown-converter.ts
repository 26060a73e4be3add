import { extname } from 'node:path'
import type { ChangesView, ExportFormat } from '@copydesk/protocol'
import { RequestError } from '../errors.ts'
import { ThreadTimeoutError, ThreadWorker } from '../threads/thread-worker.ts'
import type { MarkdownRequest, MarkdownResponse } from './markdown-thread.ts'

const limitMs = 15_000

/**
 * Turns markdown into documents and documents into text, in a thread of its own: a long or hostile text keeps nobody's
 * keystroke waiting.
 */
export class MarkdownConverter {
  readonly #thread = new ThreadWorker<MarkdownRequest, MarkdownResponse>(
    new URL(`./markdown-thread${extname(import.meta.url)}`, import.meta.url),
  )

  /**
   * The first update of a new document, its title and its text for search.
   * @throws RequestError `too_large` if reading the markdown takes too long.
   */
  async seed(markdown: string, title: string | undefined): Promise<Extract<MarkdownResponse, { kind: 'seed' }>> {
    const answer = await this.#ask({ kind: 'seed', markdown, title })
    if (answer.kind !== 'seed') throw new Error('the markdown thread answered something else')
    return answer
  }

  /**
   * The document that these updates make as text, with its suggested changes left out or carried out.
   * @throws RequestError `too_large` if writing it takes too long; an error if the updates can't be applied or make nothing that fits the schema.
   */
  async render(updates: readonly Uint8Array[], format: ExportFormat, changes: ChangesView): Promise<string> {
    const answer = await this.#ask({ kind: 'render', updates, format, changes })
    if (answer.kind !== 'render') throw new Error('the markdown thread answered something else')
    return answer.body
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #ask(request: MarkdownRequest): Promise<MarkdownResponse> {
    try {
      return await this.#thread.ask(request, limitMs)
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error
      throw new RequestError('too_large', 'The text takes too long to read.', 'Split it into several documents.')
    }
  }
}
