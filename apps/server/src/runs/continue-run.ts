import { continueInstruction, findStanding, type TranscriptMessage } from '@copydesk/agent'
import type { Run } from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { RunStore } from './run-store.ts'

/**
 * Lets a run that isn't done go on as the same run, and queues it. One that ended at its limit gets as many rounds, tokens and minutes
 * again as it had at first; one that failed gets its minutes again and does what it failed at once more. Answers `undefined`, having
 * changed nothing, for every other run, and for one that has been taken back.
 */
export async function continueRun(runs: RunStore, id: string): Promise<Run | undefined> {
  let isContinued = false
  const run = await runs.show(id, async ({ trx }) => {
    const row = await runs.findRow(id, trx)
    if (!row || row.undone === 1) return
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
        // The run isn't over any more: without a new lease the worker that ended it could write again.
        epoch: row.epoch + 1,
        ended_at: null,
      })
      .where('id', '=', id)
      .execute()
    // A run that failed has nothing new to be told, unless calls of its were cut off: those are not made again unasked.
    if (hasReachedLimit || findStanding(await runs.transcript(id, trx)).kind !== 'ask') await addWord(id, trx)
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
