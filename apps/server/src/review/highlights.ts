import type { Highlight } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import { putHighlight, removeHighlights } from '../room/review.ts'
import type { DocumentTransactions } from '../store/document-transactions.ts'
import type { Check } from './review-rows.ts'

/** What the agent points at: entries in the room alone, since they are never part of the text and nobody needs them later. */
export class Highlights {
  readonly #writer: DocumentTransactions
  readonly #now: () => number
  constructor({ writer, now }: { writer: DocumentTransactions; now: () => number }) {
    this.#writer = writer
    this.#now = now
  }

  /** Shows a highlight to everybody; those whose time is up go. `check` runs first in the same transaction and may throw. */
  async show(document: string, highlight: Highlight, check?: Check): Promise<void> {
    const now = new Date(this.#now()).toISOString()
    await this.#writer.write(roomName(document), { actor: highlight.author.id }, async ({ doc, trx }) => {
      await check?.(trx)
      removeHighlights(doc, ({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
      putHighlight(doc, highlight)
    })
  }

  /** Takes one away; false if there is none of this id. */
  async dismiss(document: string, id: string, by: string): Promise<boolean> {
    return this.#writer.write(roomName(document), { actor: by }, ({ doc }) =>
      removeHighlights(doc, (highlight) => highlight.id === id),
    )
  }

  /** Takes away what earlier runs of this run's caller have pointed at. */
  async clearFor(run: { id: string; document: string; invoked_by: string }): Promise<void> {
    await this.#writer.write(roomName(run.document), { actor: run.invoked_by }, ({ doc }) => {
      removeHighlights(doc, (highlight) => highlight.invokedBy === run.invoked_by && highlight.run !== run.id)
    })
  }
}
