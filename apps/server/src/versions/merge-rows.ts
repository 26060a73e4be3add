import * as Y from 'yjs'

/** A row of a content log that may be merged with its neighbours. */
export type MergeRow = { seq: number; actor: string; bytes: Uint8Array }

/** The result of merging several rows: it replaces the last of them, at its `seq`, and those in `replaces`. */
export type MergedRow = { seq: number; bytes: Uint8Array; replaces: number[] }

/**
 * Merges the rows of each window by author. The merged row of an author has the position of the author's last row: a
 * client that has the log up to a row in between finds all missing updates after it. If two authors wrote ids of one
 * Yjs client, only neighbouring rows are merged, so that the first author of an id stays the first.
 */
export function mergeWindows(windows: readonly (readonly MergeRow[])[]): MergedRow[] {
  return windows.flatMap((rows) => groupsOf(rows).flatMap((group) => (group.length > 1 ? [merge(group)] : [])))
}

function groupsOf(rows: readonly MergeRow[]): MergeRow[][] {
  if (!sharesClients(rows)) return [...Map.groupBy(rows, ({ actor }) => actor).values()]
  const groups: MergeRow[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group?.[0]?.actor === row.actor) group.push(row)
    else groups.push([row])
  }
  return groups
}

function sharesClients(rows: readonly MergeRow[]): boolean {
  const owners = new Map<number, string>()
  return rows.some(({ actor, bytes }) =>
    [...Y.parseUpdateMeta(bytes).to.keys()].some((client) => {
      const owner = owners.get(client) ?? actor
      owners.set(client, owner)
      return owner !== actor
    }),
  )
}

function merge(group: readonly MergeRow[]): MergedRow {
  const seqs = group.map(({ seq }) => seq)
  const bytes = Y.mergeUpdates(group.map((row) => row.bytes))
  return { seq: seqs.at(-1) ?? 0, bytes, replaces: seqs.slice(0, -1) }
}
