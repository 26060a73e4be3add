import { pauseMs } from './version-boundaries.ts'

/** What is known of a row before it is read. `isFixed` marks rows that must stay unchanged. */
export type LoggedRow = { seq: number; at: number; actor: string; isFixed: boolean }

const dayMs = 24 * 60 * 60_000
// The more updates Yjs merges in one call, the longer it takes for each.
const rowsAtOnce = 300

/**
 * Stretches of rows that may be merged: they contain no fixed row and extend over no version, day boundary or pause in
 * writing, so that every version and every session keeps its own rows. Only stretches of two rows or more.
 */
export function mergeWindowsOf<T extends LoggedRow>(rows: readonly T[], versions: ReadonlySet<number>): T[][] {
  const windows: T[][] = []
  let open: T[] = []
  const close = (): void => {
    if (open.length > 1) windows.push(open)
    open = []
  }
  for (const row of rows) {
    const before = open.at(-1)
    const isApart =
      before && (row.at - before.at >= pauseMs || Math.floor(row.at / dayMs) !== Math.floor(before.at / dayMs))
    if (isApart || row.isFixed || open.length >= rowsAtOnce) close()
    if (!row.isFixed) open.push(row)
    if (versions.has(row.seq)) close()
  }
  close()
  return windows
}
