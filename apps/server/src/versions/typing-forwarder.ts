import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { serverActor } from '../collaboration/identity.ts'
import type { DocumentTransactions } from '../store/document-transactions.ts'
import type { Tables } from '../store/tables.ts'
import { findForwardedTexts, type GoneText, putForwardedText } from './forwarded-typing.ts'

export type TypingForwarderDeps = { db: Kysely<Tables>; writer: DocumentTransactions }

// Keystrokes in transit when a block is deleted arrive within these delays, over slow connections too.
const looksAfterMs = [1_500, 6_000, 20_000]

/**
 * Looks, for a while after blocks were deleted, for text that users were still typing into them, and puts it into a
 * paragraph of its own, under their name, so that no typed text is lost.
 */
export class TypingForwarder {
  readonly #deps: TypingForwarderDeps
  readonly #timers = new Set<NodeJS.Timeout>()
  #going: Promise<unknown> = Promise.resolve()

  constructor(deps: TypingForwarderDeps) {
    this.#deps = deps
  }

  /** Watches the rows of a document after `since`, the row that deleted these texts. */
  watch(document: string, since: number, gone: readonly GoneText[]): void {
    if (gone.length === 0) return
    let seen = since
    for (const delay of looksAfterMs) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        this.#going = this.#going
          .then(async () => {
            seen = await this.#look(document, { since, seen, gone })
          })
          // The log has all rows: the next look tries again.
          .catch(() => undefined)
      }, delay)
      timer.unref()
      this.#timers.add(timer)
    }
  }

  /** Stops watching; resolves when pending writes are on disk. May be called twice. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    await this.#going
  }

  /** Restores text appended since the last look. Returns the row up to which it has looked. */
  async #look(
    document: string,
    { since, seen, gone }: { since: number; seen: number; gone: readonly GoneText[] },
  ): Promise<number> {
    const { db, writer } = this.#deps
    const name = contentName(document)
    const rows = await db
      .selectFrom('document_updates')
      .select(['seq', 'bytes', 'actor'])
      .where('name', '=', name)
      .where('seq', '>', since)
      .where('run', 'is', null)
      .where('actor', '!=', serverActor)
      .orderBy('seq')
      .execute()
    const late = findForwardedTexts(gone, rows, seen)
    // Texts after the same block are inserted at the same position, so the last one goes in first.
    const changes = late.toReversed().map((text) => ({
      author: { actor: text.actor },
      change: ({ docs }: { docs: ReadonlyMap<string, Parameters<typeof putForwardedText>[0]> }) => {
        const content = docs.get(name)
        if (content) putForwardedText(content, text)
      },
    }))
    if (changes.length > 0) await writer.writeEach([name], changes)
    return rows.at(-1)?.seq ?? seen
  }
}
