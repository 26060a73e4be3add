import { continueInstruction, findNextStep, type TranscriptMessage } from '@copydesk/agent'
import type { Run } from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { isFromOutside } from './outside-runs.ts'
import type { RunStore } from './run-store.ts'

/**
 * Continues an unfinished run as the same run, and queues it. A run that ended at its limit gets its initial number of
 * rounds, tokens and minutes again. A run that failed gets its minutes again and repeats the step at which it failed.
 * Returns `undefined`, without changing anything, for every other run, and for a run that was undone.
 */
export async function continueRun(runs: RunStore, id: string): Promise<Run | undefined> {
  let isContinued = false
  const run = await runs.show(id, async ({ trx }) => {
    const row = await runs.findRow(id, trx)
    // Outside agents continue by themselves, in a new run.
    if (!row || row.undone === 1 || isFromOutside(row)) return
    if (row.status !== 'limit_reached' && row.status !== 'failed') return
    isContinued = true
    const initialRounds = row.max_rounds / (row.continued + 1)
    const hasReachedLimit = row.status === 'limit_reached'
    await trx
      .updateTable('runs')
      .set({
        status: 'queued',
        ...(hasReachedLimit ? { max_rounds: row.max_rounds + initialRounds, continued: row.continued + 1 } : {}),
        used_ms: 0,
        idle_claims: 0,
        answer: null,
        error: null,
        stop_requested: 0,
        // The run is no longer final: without a new lease, the worker that ended it could write again.
        epoch: row.epoch + 1,
        ended_at: null,
      })
      .where('id', '=', id)
      .execute()
    // A failed run gets no new message, unless calls of it were cut off, which the model repeats only on request.
    if (hasReachedLimit || findNextStep(await runs.transcript(id, trx)).kind !== 'ask') await addWord(id, trx)
  })
  return isContinued ? run : undefined
}

async function addWord(id: string, trx: Transaction<Tables>): Promise<void> {
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
}
