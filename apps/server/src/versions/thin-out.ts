import type { VersionRow } from '../store/tables.ts'
import { joinWriters, writersOf } from './version-rows.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** The versions to delete, and the new writers of some versions that stay. */
export type Thinning = { gone: VersionRow[]; writers: ReadonlyMap<string, string[]> }

/**
 * Which versions can be deleted. Of those that the server stored automatically, all of the last day stay, the last of
 * every hour for a week, and the last of every day after that; those older than `days` are deleted. Named versions,
 * restores, restored versions, the first version and the newest stay. `rows` are all of a document, oldest first.
 */
export function thinOut(rows: readonly VersionRow[], { now, days }: { now: number; days: number }): Thinning {
  const restored = new Set(rows.flatMap(({ restored: id }) => id ?? []))
  const taken = new Set<string>()
  const gone: VersionRow[] = []
  const isKept = (row: VersionRow, index: number): boolean => {
    if (index === 0 || index === rows.length - 1 || row.name !== null || restored.has(row.id)) return true
    if (row.kind !== 'automatic' && row.kind !== 'run') return true
    const age = now - row.at
    if (age < dayMs) return true
    if (age >= days * dayMs) return false
    const slot = age < 7 * dayMs ? `hour ${Math.floor(row.at / hourMs)}` : `day ${Math.floor(row.at / dayMs)}`
    if (taken.has(slot)) return false
    taken.add(slot)
    return true
  }
  const writers = new Map<string, string[]>()
  let heir: VersionRow | undefined
  // From the newest to the oldest: the first version seen of each hour is its last.
  for (const [index, row] of [...rows.entries()].toReversed()) {
    if (isKept(row, index) || !heir) heir = row
    else {
      gone.push(row)
      writers.set(heir.id, joinWriters(writersOf(row), writers.get(heir.id) ?? writersOf(heir)))
    }
  }
  return { gone, writers }
}
