import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Copy, HistoryRow } from './ledger.ts'
import { cutPart } from './open-calls.ts'

/** A row and when it was appended, in milliseconds since 1970. */
export type DatedRow = HistoryRow & { at: number }

/** The rows of a content log after `seq`, in order, with when they came, without those that were set aside as unreadable. */
export async function readHistory(db: Kysely<Tables>, name: string, seq: number): Promise<DatedRow[]> {
  const rows = await db
    .selectFrom('document_updates as row')
    .leftJoin('run_undos as undo', (join) => join.onRef('undo.name', '=', 'row.name').onRef('undo.seq', '=', 'row.seq'))
    .leftJoin('quarantined_updates as bad', (join) =>
      join.onRef('bad.name', '=', 'row.name').onRef('bad.seq', '=', 'row.seq'),
    )
    .leftJoin('cut_rows as cut', (join) => join.onRef('cut.name', '=', 'row.name').onRef('cut.seq', '=', 'row.seq'))
    .select(['row.seq', 'row.bytes', 'row.actor', 'row.run', 'row.at', 'undo.copies', 'cut.run as cutOf'])
    .where('row.name', '=', name)
    .where('row.seq', '>', seq)
    .where('bad.seq', 'is', null)
    .orderBy('row.seq')
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
