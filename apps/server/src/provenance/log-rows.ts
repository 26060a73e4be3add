import type { Kysely } from 'kysely'
import type { LogRow } from '../store/log/update-log.ts'
import type { Tables } from '../store/tables.ts'

/**
 * A copy of `len` ids that undo, redo or the restoring of a version made under new ids: `[fromClient, fromClock,
 * toClient, toClock, len]`. Yjs can't revive deleted items; it makes a copy.
 */
export type Copy = readonly [fromClient: number, fromClock: number, toClient: number, toClock: number, len: number]

/**
 * A row of a content log. A row with a run whose actor isn't the agent is a user's decision on the run's suggestions.
 * `copies` is set if the row is an undo or redo by the server, `restored` if it restored the content as of the row
 * `version`, `isCut` if it belongs to a call that was cut off, `decidedBy` if it is a decision that a run made for its
 * caller.
 */
export type HistoryRow = LogRow & {
  copies?: readonly Copy[]
  restored?: { version: number; copies: readonly Copy[] }
  isCut?: true
  decidedBy?: string
}

/** A row and when it was appended, in milliseconds since 1970. */
export type DatedRow = HistoryRow & { at: number }

/**
 * A query for the rows of a content log in order, for further clauses. `undo` is an undo or redo by the server,
 * `restore` a restored version, `cut` a row that was cut off, `decision` a decision that a run made, `bad` a
 * quarantined row.
 */
export function historyRows(db: Kysely<Tables>, name: string) {
  return db
    .selectFrom('document_updates as row')
    .leftJoin('run_undos as undo', (join) => join.onRef('undo.name', '=', 'row.name').onRef('undo.seq', '=', 'row.seq'))
    .leftJoin('restored_rows as restore', (join) =>
      join.onRef('restore.name', '=', 'row.name').onRef('restore.seq', '=', 'row.seq'),
    )
    .leftJoin('cut_rows as cut', (join) => join.onRef('cut.name', '=', 'row.name').onRef('cut.seq', '=', 'row.seq'))
    .leftJoin('run_decisions as decision', (join) =>
      join.onRef('decision.name', '=', 'row.name').onRef('decision.seq', '=', 'row.seq'),
    )
    .leftJoin('quarantined_updates as bad', (join) =>
      join.onRef('bad.name', '=', 'row.name').onRef('bad.seq', '=', 'row.seq'),
    )
    .where('row.name', '=', name)
    .orderBy('row.seq')
}

/** At most `limit` rows of a content log after `seq`, in order, without quarantined ones. */
export async function readHistory(db: Kysely<Tables>, name: string, seq: number, limit?: number): Promise<DatedRow[]> {
  const query = historyRows(db, name)
    .select(['row.seq', 'row.bytes', 'row.actor', 'row.run', 'row.at', 'undo.copies', 'cut.seq as cut'])
    .select(['restore.version', 'restore.copies as restored', 'decision.run as decidedBy'])
    .where('row.seq', '>', seq)
    .where('bad.seq', 'is', null)
  const rows = await (limit === undefined ? query : query.limit(limit)).execute()
  return rows.map(({ copies, version, restored, cut, decidedBy, ...row }) => ({
    ...row,
    ...(copies === null ? {} : { copies: JSON.parse(copies) as readonly Copy[] }),
    ...(version === null || restored === null
      ? {}
      : { restored: { version, copies: JSON.parse(restored) as readonly Copy[] } }),
    ...(cut === null ? {} : { isCut: true }),
    ...(decidedBy === null ? {} : { decidedBy }),
  }))
}
