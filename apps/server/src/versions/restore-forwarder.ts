import { contentName, contentTypes } from '@copydesk/schema'
import { IdMap, type IdRange } from '@copydesk/schema/ids'
import type { Kysely } from 'kysely'
import * as Y from 'yjs'
import { serverActor } from '../common/identity.ts'
import { type HistoryRow, readHistory } from '../provenance/log-rows.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Tables } from '../store/tables.ts'

export type RestoreForwarderDeps = { db: Kysely<Tables>; writer: DocumentTransactions }

// Characters that were typed before a block was deleted arrive within these delays, also over slow connections.
const checksAfterMs = [1_500, 6_000, 20_000]

/**
 * Reads the log for a while after a restore has deleted blocks, for text that users were still typing into them, and
 * inserts that text into a separate paragraph, under their name. A restored version has no copy of such a block, so the
 * `createTypingForwarder` of the schema package has no position for the text.
 */
export class RestoreForwarder {
  readonly #deps: RestoreForwarderDeps
  readonly #timers = new Set<NodeJS.Timeout>()
  #going: Promise<unknown> = Promise.resolve()

  constructor(deps: RestoreForwarderDeps) {
    this.#deps = deps
  }

  /** Watches the rows of a document after `since`, the row that deleted these texts. */
  watch(document: string, since: number, deleted: readonly DeletedText[]): void {
    if (deleted.length === 0) return
    let seen = since
    for (const delay of checksAfterMs) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        this.#going = this.#going
          .then(async () => {
            seen = await this.#look(document, { since, seen, deleted })
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
    { since, seen, deleted }: { since: number; seen: number; deleted: readonly DeletedText[] },
  ): Promise<number> {
    const { db, writer } = this.#deps
    const name = contentName(document)
    const rows = (await readHistory(db, name, since)).filter(({ actor, run }) => run === null && actor !== serverActor)
    const typed = findTyped(deleted, rows, seen)
    // Texts after the same block are inserted at the same position, so the last one is inserted first.
    const changes = typed.toReversed().map((text) => ({
      author: { actor: text.actor },
      change: ({ docs }: { docs: ReadonlyMap<string, Y.Doc> }) => {
        const content = docs.get(name)
        if (content) putTyped(content, text)
      },
    }))
    if (changes.length > 0) await writer.writeEach([name], changes)
    return rows.at(-1)?.seq ?? seen
  }
}

/** A text whose block was deleted, the ids of its content, and the block before it; undefined if it was the first. */
export type DeletedText = { ids: readonly IdRange[]; after: { client: number; clock: number } | undefined }

/** Text that a user typed into an already deleted text; its position is after the same block. */
type TypedText = Pick<DeletedText, 'after'> & { actor: string; text: string }

/**
 * Records all texts of a document before a change. Returns a function that, after the change, returns the deleted
 * texts: when Yjs deletes a block, it also deletes text that others are still typing into the block.
 */
export function recordTexts(content: Y.Doc): () => DeletedText[] {
  const blocks = content.getXmlFragment(contentTypes.fragment).toArray()
  const texts = blocks.map((block) => [...textsIn(block)].map((text) => ({ text, ids: idsIn(text) })))
  return () => {
    let after: DeletedText['after']
    return blocks.flatMap(({ _item: item }, index) => {
      const deleted = texts[index]?.filter(({ text }) => text._item?.deleted === true) ?? []
      const found = deleted.map(({ ids }) => ({ ids, after }))
      if (item?.deleted === false) after = item.id
      return found
    })
  }
}

// Iterative: nested blocks may be deeper than the call stack.
function* textsIn(block: unknown): Generator<Y.XmlText, void, undefined> {
  const pending = [block]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node instanceof Y.XmlText) yield node
    else if (node instanceof Y.XmlFragment) for (const child of node.toArray().toReversed()) pending.push(child)
  }
}

// Includes the text's own id, the only one to which characters typed into an empty text refer.
function idsIn(text: Y.XmlText): IdRange[] {
  const ids: IdRange[] = text._item ? [{ client: text._item.id.client, clock: text._item.id.clock, len: 1 }] : []
  for (let item = text._start; item; item = item.right) {
    ids.push({ client: item.id.client, clock: item.id.clock, len: item.length })
  }
  return ids
}

/**
 * Text that users have typed into these texts, without characters that they deleted again, in order of arrival. `rows`
 * are all rows since the texts were deleted; only text in rows after `seen` is returned.
 */
function findTyped(deleted: readonly DeletedText[], rows: readonly HistoryRow[], seen: number): TypedText[] {
  if (rows.length === 0) return []
  const places = new IdMap<DeletedText>()
  for (const text of deleted) for (const ids of text.ids) places.add(ids, text)
  const updates = rows.map(({ bytes, ...row }) => ({ ...Y.decodeUpdate(bytes), ...row }))
  const deletions = Y.mergeDeleteSets(updates.map(({ ds }) => ds))
  const isDeleted = (client: number, clock: number): boolean => Y.isDeleted(deletions, Y.createID(client, clock))
  const found = new Map<DeletedText, Map<string, string[]>>()
  for (const { structs, actor, seq } of updates) {
    for (const struct of structs) {
      if (!(struct instanceof Y.Item)) continue
      const { client, clock } = struct.id
      const text = neighboursOf(struct).flatMap((id) => places.get(id) ?? [])[0]
      if (!text) continue
      // A row may repeat the content of another row.
      places.addNew({ client, clock, len: struct.length }, text)
      if (!(struct.content instanceof Y.ContentString) || seq <= seen) continue
      const typed = [...struct.content.str.split('').entries()].filter(([offset]) => !isDeleted(client, clock + offset))
      const byActor = found.get(text) ?? new Map<string, string[]>()
      found.set(text, byActor)
      byActor.set(actor, [...(byActor.get(actor) ?? []), ...typed.map(([, unit]) => unit)])
    }
  }
  return [...found].flatMap(([{ after }, byActor]) =>
    [...byActor].flatMap(([actor, units]) => {
      const text = units.join('')
      return text.trim() === '' ? [] : [{ after, actor, text }]
    }),
  )
}

// Each of these ids determines the item's position.
function neighboursOf({ origin, rightOrigin, parent }: Y.Item): { client: number; clock: number }[] {
  const ids = [origin, rightOrigin].flatMap((id) => id ?? [])
  return parent instanceof Y.ID ? [...ids, parent] : ids
}

/** Inserts typed text as a separate paragraph after its block, or at the end if that block was deleted, too. */
function putTyped(content: Y.Doc, { after, text }: TypedText): void {
  const fragment = content.getXmlFragment(contentTypes.fragment)
  const at = fragment
    .toArray()
    .findIndex(({ _item: item }) => item?.id.client === after?.client && item?.id.clock === after?.clock)
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText(text)])
  fragment.insert(after === undefined ? 0 : at < 0 ? fragment.length : at + 1, [paragraph])
}
