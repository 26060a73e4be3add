import { TextPair } from '@copydesk/protocol'
import type { EarlierRun, EarlierStep } from '@copydesk/tools'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { RunRow, Tables } from '../../../store/tables.ts'

/** An earlier run with its ids in the store; `stepIds` are the ids of its steps, in order. */
export type StoredRun = EarlierRun & { id: string; stepIds: readonly string[] }

const runsAtOnce = 50

/**
 * The latest runs that changed the document before this one, newest first, at most 50. The number of a run is its
 * position among all runs of the document, so it never changes.
 */
export async function listEarlierRuns(db: Kysely<Tables>, run: RunRow): Promise<StoredRun[]> {
  const numbered = db
    .selectFrom('runs')
    .select(['id', 'invoked_by_name', 'instruction', 'undone', 'created_at'])
    .select(sql<number>`row_number() over (order by created_at, id)`.as('number'))
    .where('document', '=', run.document)
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where('id', '!=', run.id)
    .where('created_at', '<=', run.created_at)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('run_steps').select('run_steps.id').whereRef('run', '=', 'numbered.id').where('changed', '=', 1),
      ),
    )
    .orderBy('number', 'desc')
    .limit(runsAtOnce)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const steps = await db
    .selectFrom('run_steps')
    .select(['id', 'run', 'position', 'summary', 'undone', 'blocks'])
    .where('run', 'in', ids)
    .where('changed', '=', 1)
    .orderBy('position')
    .execute()
  return rows.map((row) => {
    const own = steps.filter((step) => step.run === row.id)
    return {
      id: row.id,
      number: Number(row.number),
      by: row.invoked_by_name,
      request: row.instruction,
      undone: row.undone === 1,
      stepIds: own.map(({ id }) => id),
      steps: own.map((step, index): EarlierStep => ({
        number: index + 1,
        summary: step.summary,
        undone: row.undone === 1 || step.undone === 1,
        changes: step.blocks === null ? [] : z.array(TextPair).parse(JSON.parse(step.blocks)),
      })),
    }
  })
}
