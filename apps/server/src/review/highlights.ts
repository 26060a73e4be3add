import type { Highlight } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import { putHighlight, removeHighlights } from '../room/review.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Check } from './review-rows.ts'

/** The agent's highlights: entries in the room only, since they are temporary and not part of the text. */
export class Highlights {
  readonly #writer: DocumentTransactions
  readonly #now: () => number
  constructor({ writer, now }: { writer: DocumentTransactions; now: () => number }) {
    this.#writer = writer
    this.#now = now
  }

  /**
   * Shows a highlight to all clients and removes expired ones. `check` runs first in the same transaction and may
   * throw.
   */
  async show(document: string, highlight: Highlight, check?: Check): Promise<void> {
    const now = new Date(this.#now()).toISOString()
    await this.#writer.write(roomName(document), { actor: highlight.author.id }, async ({ doc, trx }) => {
      await check?.(trx)
      removeHighlights(doc, ({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
      putHighlight(doc, highlight)
    })
  }

  /** Removes a highlight; false if there is none with this id. */
  async dismiss(document: string, id: string, by: string): Promise<boolean> {
    return this.#writer.write(roomName(document), { actor: by }, ({ doc }) =>
      removeHighlights(doc, (highlight) => highlight.id === id),
    )
  }

  /** Removes the highlights of earlier runs of this run's caller. */
  async clearFor(run: { id: string; document: string; invoked_by: string }): Promise<void> {
    await this.#writer.write(roomName(run.document), { actor: run.invoked_by }, ({ doc }) => {
      removeHighlights(doc, (highlight) => highlight.invokedBy === run.invoked_by && highlight.run !== run.id)
    })
  }
}
