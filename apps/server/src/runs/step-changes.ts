import { TextPair } from '@copydesk/protocol'
import { contentName } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { agentIdentity } from '../common/identity.ts'
import type { StepRow, Tables } from '../store/tables.ts'

const Changed = z.object({ blocks: z.array(TextPair) })
const changedBlocksLimit = 200

type FinishedStep = { document: string; run: string; step: string; ok: boolean; details: unknown }

/**
 * Records the changes of a finished step: the newest row of the content log that the run has written by then, and the
 * blocks that the tool's result names; a written file counts as a change. A run that makes a further change no longer
 * counts as undone.
 */
export async function noteStepChanges(trx: Transaction<Tables>, finished: FinishedStep): Promise<void> {
  const { document, run, step, ok, details } = finished
  const lastSeq = await newestRow(trx, document, run)
  const before = await trx
    .selectFrom('run_steps')
    .select((eb) => eb.fn.max('last_seq').as('seq'))
    .where('run', '=', run)
    .where('id', '!=', step)
    .executeTakeFirst()
  const parsed = Changed.safeParse(details)
  const blocks = parsed.success ? parsed.data.blocks : []
  const hasWritten = await trx
    .selectFrom('file_proposals')
    .select('path')
    .where('run', '=', run)
    .where('call', '=', step)
    .where('written', 'is not', null)
    .executeTakeFirst()
  const changed = ok && (lastSeq > Number(before?.seq ?? 0) || blocks.length > 0 || hasWritten !== undefined)
  await trx
    .updateTable('run_steps')
    .set({
      last_seq: lastSeq,
      changed: changed ? 1 : 0,
      blocks: blocks.length === 0 ? null : JSON.stringify(blocks.slice(0, changedBlocksLimit)),
    })
    .where('run', '=', run)
    .where('id', '=', step)
    .execute()
  if (changed) await trx.updateTable('runs').set({ undone: 0 }).where('id', '=', run).execute()
}

/** When a run ends, records the changes that its cut-off steps had written. */
export async function closeStepChanges(trx: Transaction<Tables>, document: string, run: string): Promise<void> {
  const open = await trx
    .selectFrom('run_steps')
    .select('id')
    .where('run', '=', run)
    .where('last_seq', 'is', null)
    .orderBy('position')
    .execute()
  for (const { id } of open) await noteStepChanges(trx, { document, run, step: id, ok: true, details: undefined })
}

/**
 * The newest row that the run has written itself, or with which it has decided on suggestions. Users' decisions on the
 * run's suggestions also have the run's id, but belong to no step.
 */
async function newestRow(trx: Transaction<Tables>, document: string, run: string): Promise<number> {
  const written = await trx
    .selectFrom('document_updates')
    .leftJoin('run_undos', (join) =>
      join.onRef('run_undos.name', '=', 'document_updates.name').onRef('run_undos.seq', '=', 'document_updates.seq'),
    )
    .select((eb) => eb.fn.max('document_updates.seq').as('seq'))
    .where('document_updates.run', '=', run)
    .where('document_updates.actor', '=', agentIdentity.id)
    .where('document_updates.name', '=', contentName(document))
    .where('run_undos.seq', 'is', null)
    .executeTakeFirst()
  const decided = await trx
    .selectFrom('run_decisions')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('run', '=', run)
    .where('name', '=', contentName(document))
    .executeTakeFirst()
  return Math.max(written?.seq ?? 0, decided?.seq ?? 0)
}

/**
 * The blocks that a run has changed, with their text before the first and after the last change, at most 200. Blocks
 * with unchanged text are omitted.
 */
export function changedBlocksOf(steps: readonly Pick<StepRow, 'blocks'>[]): TextPair[] {
  const merged: TextPair[] = []
  for (const { blocks } of steps) {
    if (blocks === null) continue
    for (const pair of z.array(TextPair).parse(JSON.parse(blocks))) {
      // An empty text doesn't identify a block: an inserted block is never the continuation of a deleted block.
      const known = pair.before === '' ? undefined : merged.findLast(({ after }) => after === pair.before)
      if (known) known.after = pair.after
      else merged.push({ ...pair })
    }
  }
  return merged.filter(({ before, after }) => before !== after).slice(0, changedBlocksLimit)
}
