import type { AuthorIds } from '@copydesk/protocol'
import type { IdSpan } from '@copydesk/schema'

/**
 * An author: a person, or a run of the agent. `at` is missing for what the user has written since the server was asked.
 */
export type Writing = { actor: string; run?: string | undefined; at?: string | undefined }

/** A range of the text that one author wrote on one day. */
export type AuthoredRange = { from: number; to: number; writing: Writing }

/**
 * The authors of a document's spans; adjoining ones of one author and day are merged. `own` is the author of the ids of
 * `client` that the server didn't know yet; other unknown ids are left out.
 */
export function findAuthors(
  spans: readonly IdSpan[],
  ids: readonly AuthorIds[],
  own: { client: number; actor: string },
): AuthoredRange[] {
  const clients = Map.groupBy(ids, ({ client }) => client)
  const ranges: AuthoredRange[] = []
  const add = (from: number, to: number, writing: Writing) => {
    const last = ranges.at(-1)
    if (last?.to === from && isSame(last.writing, writing)) {
      last.to = to
      if ((writing.at ?? '') > (last.writing.at ?? '')) last.writing = writing
    } else ranges.push({ from, to, writing })
  }
  for (const { from, to, client, clock } of spans) {
    const known = clients.get(client) ?? []
    let position = from
    for (let index = firstEndingAfter(known, clock); index < known.length && position < to; index++) {
      const entry = known[index]
      if (!entry || entry.clock >= clock + to - from) break
      const start = Math.max(position, from + entry.clock - clock)
      const end = Math.min(to, from + entry.clock + entry.length - clock)
      add(start, end, { actor: entry.actor, run: entry.run, at: entry.at })
      position = end
    }
    if (position < to && client === own.client) add(position, to, { actor: own.actor })
  }
  return ranges
}

function isSame(a: Writing, b: Writing): boolean {
  return a.actor === b.actor && a.run === b.run && a.at?.slice(0, 10) === b.at?.slice(0, 10)
}

// A client's entries are in the order of its clock.
function firstEndingAfter(entries: readonly AuthorIds[], clock: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry && entry.clock + entry.length <= clock) low = middle + 1
    else high = middle
  }
  return low
}
