/** The data of a row of a content log without its update. */
export type RowInfo = { seq: number; at: number; actor: string; run: string | null }

/** A point that becomes a version: its last row, and the agent's run that ended there, if any. */
export type Boundary = { seq: number; at: number; run?: string }

export type BoundaryOptions = {
  now: number
  agent: string
  /** Whether a run has ended, so that it can write no more rows. */
  isOver: (run: string) => boolean
}

/** A pause of this length ends a version: the user has probably done something else meanwhile. In milliseconds. */
export const pauseMs = 10 * 60_000

/**
 * The longest period of writing without a pause in one version, half an hour, so that its changes can be read in
 * reasonable time. In milliseconds.
 */
export const longestMs = 30 * 60_000

/**
 * The last rows of automatic versions: before and after every run, before every pause, and every half an hour of
 * writing without a pause. `rows` are the rows since the previous version, in order, without the server's own. No
 * boundary is set after the start of a run that may continue; a run that has written nothing for the length of a pause
 * counts as ended.
 */
export function findBoundaries(rows: readonly RowInfo[], options: BoundaryOptions): Boundary[] {
  const found = new Map<number, Boundary>()
  const lastOf = lastRowsOfRuns(rows, options)
  const going = new Set<string>()
  let startedAt = rows[0]?.at ?? 0
  const end = (row: RowInfo, run?: string): void => {
    found.set(row.seq, { seq: row.seq, at: row.at, ...(run === undefined ? {} : { run }) })
  }
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    const run = row.actor === options.agent ? row.run : null
    const begins = run !== null && !going.has(run)
    const isPause = before !== undefined && row.at - before.at >= pauseMs
    if (before && !found.has(before.seq) && (begins || isPause || row.at - startedAt >= longestMs)) end(before)
    if (before && found.has(before.seq)) startedAt = row.at
    // The document's initial content, created or imported.
    if (row.seq === 1) end(row)
    if (run === null) continue
    const last = lastOf.get(row.seq)
    if (last === 'open') return [...found.values()]
    if (last === undefined) going.add(run)
    else {
      going.delete(run)
      end(row, run)
    }
  }
  const newest = rows.at(-1)
  if (newest && !found.has(newest.seq) && options.now - newest.at >= pauseMs) end(newest)
  return [...found.values()]
}

/** The rows with which runs ended or paused for long; `open` at the first row of a run that may still continue. */
function lastRowsOfRuns(
  rows: readonly RowInfo[],
  { agent, isOver, now }: BoundaryOptions,
): ReadonlyMap<number, 'ended' | 'open'> {
  const first = new Map<string, RowInfo>()
  const last = new Map<string, RowInfo>()
  const ends = new Map<number, 'ended' | 'open'>()
  for (const row of rows) {
    if (row.run === null || row.actor !== agent) continue
    const before = last.get(row.run)
    if (before && row.at - before.at >= pauseMs) {
      ends.set(before.seq, 'ended')
      first.delete(row.run)
    }
    if (!first.has(row.run)) first.set(row.run, row)
    last.set(row.run, row)
  }
  for (const [run, row] of last) {
    if (isOver(run) || now - row.at >= pauseMs) ends.set(row.seq, 'ended')
    else ends.set(first.get(run)?.seq ?? row.seq, 'open')
  }
  return ends
}
