import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Copy, HistoryRow } from './replayed-log.ts'
import { cutPart } from './open-calls.ts'

/** A row and when it was appended, in milliseconds since 1970. */
export type DatedRow = HistoryRow & { at: number }

/**
 * A query for the rows of a content log in order, to build on. `undo` is an undo or redo by the server, `cut` a row
 * that was cut off, `bad` a row that was set aside as unreadable.
 */
export function historyRows(db: Kysely<Tables>, name: string) {
  return db
    .selectFrom('document_updates as row')
    .leftJoin('run_undos as undo', (join) => join.onRef('undo.name', '=', 'row.name').onRef('undo.seq', '=', 'row.seq'))
    .leftJoin('cut_rows as cut', (join) => join.onRef('cut.name', '=', 'row.name').onRef('cut.seq', '=', 'row.seq'))
    .leftJoin('quarantined_updates as bad', (join) =>
      join.onRef('bad.name', '=', 'row.name').onRef('bad.seq', '=', 'row.seq'),
    )
    .where('row.name', '=', name)
    .orderBy('row.seq')
}

/**
 * The rows of a content log after `seq`, in order, with their append times, without those that were set aside as
 * unreadable.
 */
export async function readHistory(db: Kysely<Tables>, name: string, seq: number): Promise<DatedRow[]> {
  const rows = await historyRows(db, name)
    .select(['row.seq', 'row.bytes', 'row.actor', 'row.run', 'row.at', 'undo.copies', 'cut.run as cutOf'])
    .where('row.seq', '>', seq)
    .where('bad.seq', 'is', null)
    .execute()
  return rows.map(({ seq, bytes, actor, run, at, copies, cutOf }) => ({
    seq,
    bytes,
    actor,
    at,
    run: cutOf === null ? run : cutPart(cutOf),
    ...(copies === null ? {} : { copies: JSON.parse(copies) as readonly Copy[] }),
  }))
}
