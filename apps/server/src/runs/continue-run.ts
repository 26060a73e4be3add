import { continueInstruction, type TranscriptMessage } from '@copydesk/agent'
import type { Run } from '@copydesk/protocol'
import type { RunStore } from './run-store.ts'

/**
 * Gives a run that ended at its limit as many rounds, tokens and minutes again as it had at first, and queues it.
 * Answers `undefined`, having changed nothing, for every other run, and for one that has been taken back.
 */
export async function continueRun(runs: RunStore, id: string): Promise<Run | undefined> {
  let isContinued = false
  const run = await runs.show(id, async ({ trx }) => {
    const row = await runs.findRow(id, trx)
    if (row?.status !== 'limit_reached' || row.undone === 1) return
    isContinued = true
    const initialRounds = row.max_rounds / (row.continued + 1)
    await trx
      .updateTable('runs')
      .set({
        status: 'queued',
        max_rounds: row.max_rounds + initialRounds,
        continued: row.continued + 1,
        used_ms: 0,
        answer: null,
        stop_requested: 0,
        // The run isn't over any more: without a new lease the worker that ended it could write again.
        epoch: row.epoch + 1,
        ended_at: null,
      })
      .where('id', '=', id)
      .execute()
    const { position } = await trx
      .selectFrom('run_messages')
      .select((eb) => eb.fn.countAll<number>().as('position'))
      .where('run', '=', id)
      .executeTakeFirstOrThrow()
    const message = JSON.stringify({ role: 'user', text: continueInstruction } satisfies TranscriptMessage)
    await trx
      .insertInto('run_messages')
      .values({ run: id, position: Number(position), message })
      .execute()
  })
  return isContinued ? run : undefined
}
