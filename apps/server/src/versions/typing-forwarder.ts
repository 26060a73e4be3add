import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { serverActor } from '../collaboration/identity.ts'
import type { DocumentTransactions } from '../store/document-transactions.ts'
import type { Tables } from '../store/tables.ts'
import { findForwardedTexts, type GoneText, putForwardedText } from './forwarded-typing.ts'

export type TypingForwarderDeps = { db: Kysely<Tables>; writer: DocumentTransactions }

// Keys that are on their way when a block goes arrive within these, over slow lines too.
const looksAfterMs = [1_500, 6_000, 20_000]

/**
 * Looks, for a while after blocks have gone, whether somebody was still typing into one of them, and puts what they typed into a paragraph of
 * its own, as theirs: nothing that people type is lost.
 */
export class TypingForwarder {
  readonly #deps: TypingForwarderDeps
  readonly #timers = new Set<NodeJS.Timeout>()
  #going: Promise<unknown> = Promise.resolve()

  constructor(deps: TypingForwarderDeps) {
    this.#deps = deps
  }

  /** Watches the rows of a document after `since`, with which these texts have gone. */
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
          // The log has everything: the next look tries again.
          .catch(() => undefined)
      }, delay)
      timer.unref()
      this.#timers.add(timer)
    }
  }

  /** Stops watching, when what is being put back is on disk. May be called twice. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    await this.#going
  }

  /** Puts back what has come since the last look. Answers the row up to which it has looked. */
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
    // Those of one place go in at the same spot, so the last one first.
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
