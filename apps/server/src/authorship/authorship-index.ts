import type { AuthorIds, AuthorRange } from '@copydesk/protocol'
import { contentTypes, readIdSpans, schema } from '@copydesk/schema'
import * as Y from 'yjs'
import { agentIdentity } from '../common/identity.ts'
import type { DatedRow } from '../history/history-rows.ts'
import { firstEndingAfter } from '../history/id-map.ts'
import { runOfPart } from '../history/open-calls.ts'
import { applyUpdates, createVerbatimDoc } from '../store/updates/verbatim-doc.ts'

type Author = { actor: string; run?: string; at: number }
type Entry = Author & { clock: number; len: number }

const dayMs = 24 * 60 * 60 * 1000

/**
 * Which author first delivered which Yjs ids of a content log, and the document that the log yields. Content that undo
 * or redo by the server restored under new ids keeps its author. One pass over the rows; adjoining ids of one author on
 * one day are one entry, which keeps the index small.
 */
export class AuthorshipIndex {
  readonly #clients = new Map<number, Entry[]>()
  readonly #doc = createVerbatimDoc()
  #seq = 0

  /** The newest row that was applied. */
  get seq(): number {
    return this.#seq
  }

  /** Applies further rows, in their order. @throws what Yjs throws for an update that can't be applied. */
  apply(rows: readonly DatedRow[]): void {
    for (const row of rows) {
      this.#note(row)
      this.#seq = row.seq
    }
    applyUpdates(
      this.#doc,
      rows.map(({ bytes }) => bytes),
    )
  }

  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#doc)
  }

  /** The author of each range of ids, by client and clock. */
  ids(): AuthorIds[] {
    return [...this.#clients].flatMap(([client, entries]) =>
      entries.map(({ clock, len, ...author }) => ({ client, clock, length: len, ...written(author) })),
    )
  }

  /** The author of each part of the text, by ProseMirror positions, in text order. */
  ranges(): AuthorRange[] {
    const ranges: { from: number; to: number; author: Author }[] = []
    const { spans } = readIdSpans(this.#doc.getXmlFragment(contentTypes.fragment), schema)
    for (const { from, to, client, clock } of spans) {
      for (const { clock: start, len, ...author } of this.#pieces(client, clock, to - from)) {
        const position = from + start - clock
        const last = ranges.at(-1)
        if (last && last.to === position && isSame(last.author, author)) {
          last.to = position + len
          if (author.at > last.author.at) last.author = author
        } else ranges.push({ from: position, to: position + len, author })
      }
    }
    return ranges.map(({ from, to, author }) => ({ from, to, ...written(author) }))
  }

  #note(row: DatedRow): void {
    const author = authorOf(row)
    for (const [client, until] of Y.parseUpdateMeta(row.bytes).to) {
      const known = this.#clients.get(client)?.at(-1)
      let clock = known ? known.clock + known.len : 0
      const copies = (row.copies ?? []).filter(([, , to]) => to === client).toSorted((a, b) => a[3] - b[3])
      for (const [fromClient, fromClock, , toClock, len] of copies) {
        if (toClock < clock || toClock + len > until) continue
        this.#add(client, clock, toClock - clock, author)
        for (const piece of this.#pieces(fromClient, fromClock, len)) {
          this.#add(client, toClock + piece.clock - fromClock, piece.len, piece)
        }
        clock = toClock + len
      }
      this.#add(client, clock, until - clock, author)
    }
  }

  #add(client: number, clock: number, len: number, { actor, run, at }: Author): void {
    if (len <= 0) return
    const entries = this.#clients.get(client) ?? []
    if (entries.length === 0) this.#clients.set(client, entries)
    const last = entries.at(-1)
    const author = { actor, ...(run === undefined ? {} : { run }), at }
    if (last && isSame(last, author)) {
      last.len += len
      last.at = Math.max(last.at, at)
    } else entries.push({ clock, len, ...author })
  }

  /** The entries of a range of ids, split where their author changes. */
  *#pieces(client: number, clock: number, len: number): Iterable<Entry> {
    const entries = this.#clients.get(client) ?? []
    const end = clock + len
    for (let index = firstEndingAfter(entries, clock); index < entries.length; index++) {
      const entry = entries[index]
      if (!entry || entry.clock >= end) return
      const start = Math.max(entry.clock, clock)
      yield { ...entry, clock: start, len: Math.min(entry.clock + entry.len, end) - start }
    }
  }
}

/** A decision on a run's suggestion belongs to the user who decided; the content decided on keeps its author. */
function authorOf({ actor, run, at, copies }: DatedRow): Author {
  const isAgents = run !== null && copies === undefined && actor === agentIdentity.id
  return isAgents ? { actor, run: runOfPart(run), at } : { actor, at }
}

function isSame(a: Author, b: Author): boolean {
  return a.actor === b.actor && a.run === b.run && Math.floor(a.at / dayMs) === Math.floor(b.at / dayMs)
}

function written({ actor, run, at }: Author): { actor: string; run?: string; at: string } {
  return { actor, ...(run === undefined ? {} : { run }), at: new Date(at).toISOString() }
}
