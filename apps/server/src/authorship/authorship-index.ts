import type { AuthorIds, AuthorRange } from '@copydesk/protocol'
import { contentTypes, readIdSpans, schema, valuesOfSpans } from '@copydesk/schema'
import { IdMap } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import { agentIdentity } from '../common/identity.ts'
import { dayMs } from '../common/time.ts'
import type { Copy, DatedRow } from '../provenance/log-rows.ts'
import { applyMove, mayMoveText } from '../provenance/moved-text.ts'
import { applyUpdates, createVerbatimDoc } from '../store/updates/verbatim-doc.ts'

type Author = { actor: string; run?: string; at: number }

/**
 * The author who first delivered each Yjs id of a content log, and the document at the end of the log. Content that
 * undo or redo by the server restored under new ids, or that a run moved, keeps its author. One pass over the rows;
 * adjoining ids of one author on one day form one entry, which keeps the index small.
 */
export class AuthorshipIndex {
  readonly #ids = new IdMap<Author>(joined)
  readonly #doc = createVerbatimDoc()
  #seq = 0

  /** The newest row that was applied. */
  get seq(): number {
    return this.#seq
  }

  /** Applies further rows, in order. @throws the errors of Yjs for an update that can't be applied. */
  apply(rows: readonly DatedRow[]): void {
    let waiting: Uint8Array[] = []
    const applyWaiting = (): void => {
      applyUpdates(this.#doc, waiting)
      waiting = []
    }
    for (const row of rows) {
      // Only rows of runs can move text. Rows of people may be merged later, which must not change authors; the block
      // handle keeps ids anyway.
      if (row.run !== null && mayMoveText(row.bytes)) {
        applyWaiting()
        this.#note(row, [...(row.copies ?? []), ...applyMove(this.#doc, row.bytes)])
      } else {
        waiting.push(row.bytes)
        this.#note(row, row.copies ?? [])
      }
      this.#seq = row.seq
    }
    applyWaiting()
  }

  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#doc)
  }

  /** The author of each range of ids, by client and clock. */
  ids(): AuthorIds[] {
    return [...this.#ids].map(({ range: { client, clock, len }, value }) => ({
      client,
      clock,
      length: len,
      ...written(value),
    }))
  }

  /** The author of each part of the text, by ProseMirror positions, in text order. */
  ranges(): AuthorRange[] {
    const { spans } = readIdSpans(this.#doc.getXmlFragment(contentTypes.fragment), schema)
    return valuesOfSpans(spans, this.#ids, joined).map(({ from, to, value }) => ({ from, to, ...written(value) }))
  }

  #note(row: DatedRow, rowCopies: readonly Copy[]): void {
    const author = authorOf(row)
    for (const [client, until] of Y.parseUpdateMeta(row.bytes).to) {
      const addUntil = (end: number): void => {
        const clock = this.#ids.end(client)
        this.#ids.add({ client, clock, len: end - clock }, author)
      }
      const copies = rowCopies.filter(([, , to]) => to === client).toSorted((a, b) => a[3] - b[3])
      for (const [fromClient, fromClock, , toClock, len] of copies) {
        if (toClock < this.#ids.end(client) || toClock + len > until) continue
        addUntil(toClock)
        for (const { range, value } of this.#ids.found({ client: fromClient, clock: fromClock, len })) {
          this.#ids.add({ client, clock: toClock + range.clock - fromClock, len: range.len }, value)
        }
      }
      addUntil(until)
    }
  }
}

/** A decision on a run's suggestion belongs to the user who decided; the content of the suggestion keeps its author. */
function authorOf({ actor, run, at, copies }: DatedRow): Author {
  const isAgents = run !== null && copies === undefined && actor === agentIdentity.id
  return isAgents ? { actor, run, at } : { actor, at }
}

/** Joins entries of one author on one day, with the newest time. */
function joined(a: Author, b: Author): Author | undefined {
  const isSame = a.actor === b.actor && a.run === b.run && Math.floor(a.at / dayMs) === Math.floor(b.at / dayMs)
  if (!isSame) return undefined
  return b.at > a.at ? b : a
}

function written({ actor, run, at }: Author): { actor: string; run?: string; at: string } {
  return { actor, ...(run === undefined ? {} : { run }), at: new Date(at).toISOString() }
}
