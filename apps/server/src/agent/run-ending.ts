import type { AgentOutcome } from '@copydesk/agent'
import { isFinal, type RunStatus } from '@copydesk/protocol'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import type * as Y from 'yjs'
import { recordAuditEvent } from '../audit/audit.ts'
import { recordUsage, type UsedModel } from '../budgets/usage.ts'
import { agentIdentity } from '../common/identity.ts'
import { RequestError } from '../common/errors.ts'
import { hasOpenCalls } from '../history/open-calls.ts'
import { closeStepChanges } from '../runs/step-changes.ts'
import { authorColumns } from '../review/review-rows.ts'
import { putMessage, putRun, removeMessage } from '../room/room.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { leaseCheck, receiptPrefixOf, requireLease, RunSuperseded } from '../runs/run-lease.ts'
import { agentOf, toMessage } from '../runs/run-rows.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

export type RunEndingDeps = Pick<RunWorkerDeps, 'runs' | 'threads' | 'undo' | 'writer' | 'now'>

/**
 * The end of a run: its outcome and its answer so far. With `hasReceipts` false, the content isn't opened, for runs
 * without changes. `model` is the model of the usage that isn't recorded yet.
 */
export type RunEnding = { outcome: AgentOutcome; said: string; hasReceipts: boolean; model?: UsedModel | undefined }

/** The error of a run whose caller may no longer call the agent in the document, or whose key has ended. */
export const revokedError = {
  code: 'forbidden',
  message:
    'The person who started this run may no longer call the agent here, or the API key that started it has expired or was revoked.',
}

/** The number of allowed claims without progress, that is without a new step, answer or result in between. */
export const idleClaimLimit = 5

// The agent may still be sending while its open calls are reverted.
const revertAttempts = 3
const leftWriting = 'Text that the agent had begun to write could not be removed from the document.'

/**
 * Stores how a run ended and deletes its receipts from the content, in one transaction. Before that, reverts the
 * previews of calls that will not be executed. If that isn't possible, the run's notice says so.
 * @throws RunSuperseded; or the error that prevented the reverting of open calls, as long as another attempt may
 * succeed.
 */
export async function endRun(run: RunRow, ending: RunEnding, deps: RunEndingDeps): Promise<void> {
  await answerInThread(run, ending.said, deps)
  for (let attempt = 0; attempt < revertAttempts; attempt++) {
    if (await storeEnding(run, ending, deps, false)) return
    if (!(await revertOpenCalls(run, deps))) break
  }
  await storeEnding(run, ending, deps, true)
}

/** The run's answer in the chat as a row of `messages`. */
export function answerRow(run: RunRow, text: string, now: number) {
  return {
    id: answerIdOf(run),
    document: run.document,
    role: 'agent' as const,
    ...authorColumns(agentOf(run)),
    text,
    mentions: null,
    status: 'streaming' as const,
    conversation: run.conversation,
    run: run.id,
    // Later than the question, even if the clock was set back.
    created_at: Math.max(now, run.created_at + 1),
  }
}

function answerIdOf({ id }: RunRow): string {
  return `answer-${id}`
}

/** Stored in a separate write without the run's id: undo of the run doesn't change the mark of its answer's thread. */
async function answerInThread(run: RunRow, said: string, { runs, threads }: RunEndingDeps): Promise<void> {
  const { trigger_kind: kind } = run
  if (said === '' || (kind !== 'comment' && kind !== 'mention')) return
  await threads.answer(run, agentOf(run), said, leaseCheck(run, runs))
}

/** Returns false, without storing anything, if the content contains open calls, unless `keepsOpenCalls`. */
function storeEnding(
  run: RunRow,
  { outcome, said, hasReceipts, model }: RunEnding,
  deps: RunEndingDeps,
  keepsOpenCalls: boolean,
): Promise<boolean> {
  const { id, document } = run
  const names = hasReceipts ? [roomName(document), contentName(document)] : [roomName(document)]
  return deps.writer.writeMany(names, { actor: agentIdentity.id, run: id }, async ({ docs, trx }) => {
    await requireLease(run, deps.runs, trx)
    const content = docs.get(contentName(document))
    const isWriting = content !== undefined && hasOpenCalls(content, receiptPrefixOf(run))
    if (isWriting && !keepsOpenCalls) return false
    const { rounds, usage } = outcome
    await recordUsage(trx, id, { rounds, usage, model }, deps.now())
    await storeOutcome(run, outcome, isWriting ? leftWriting : undefined, deps.now(), trx)
    const receipts = content?.getMap(contentTypes.receipts)
    for (const key of receipts?.keys() ?? []) if (key.startsWith(receiptPrefixOf(run))) receipts?.delete(key)
    const room = docs.get(roomName(document))
    if (room) await showEnding(room, run, said, deps, trx)
    return true
  })
}

/** Reverts open calls in the content; false if that will not succeed. */
async function revertOpenCalls(run: RunRow, { undo, runs }: RunEndingDeps): Promise<boolean> {
  try {
    await undo.revertOpenCalls(run, receiptPrefixOf(run), leaseCheck(run, runs))
    return true
  } catch (error) {
    if (error instanceof RunSuperseded) throw error
    // Without these calls the document would not fit the schema, or the attempts of several workers have failed.
    const isPermanent = error instanceof RequestError && error.code === 'conflict'
    if (isPermanent || run.idle_claims > idleClaimLimit) return false
    throw error
  }
}

async function storeOutcome(
  { id, document }: RunRow,
  outcome: AgentOutcome,
  notice: string | undefined,
  now: number,
  trx: Transaction<Tables>,
): Promise<void> {
  const status: RunStatus = outcome.status
  if (!isFinal(status)) throw new Error(`a run can't end as ${status}`)
  await trx
    .updateTable('runs')
    .set({
      status,
      answer: outcome.answer === '' ? null : outcome.answer,
      error: outcome.error ? JSON.stringify(outcome.error) : null,
      ended_at: now,
      ...(notice === undefined ? {} : { notice }),
    })
    .where('id', '=', id)
    .execute()
  await recordAuditEvent(trx, {
    at: now,
    actor: agentIdentity.id,
    action: 'run-ended',
    document,
    target: id,
    details: { status },
  })
  await closeStepChanges(trx, document, id)
  // A step that was cut off by Stop or a limit, or that waited for a user, will not continue.
  await trx
    .updateTable('run_steps')
    .set({ status: 'error', summary: 'Ended before it was done', localizable: null, ended_at: now })
    .where('run', '=', id)
    .where('status', 'in', ['running', 'awaiting_approval'])
    .execute()
}

async function showEnding(
  room: Y.Doc,
  run: RunRow,
  said: string,
  { runs, now }: RunEndingDeps,
  trx: Transaction<Tables>,
): Promise<void> {
  const shown = await runs.find(run.id, trx)
  if (!shown) return
  putRun(room, shown)
  // Removes the preview of an answer that wasn't completed.
  if (said === '') return removeMessage(room, answerIdOf(run))
  if (run.trigger_kind !== 'chat') return
  const message = { ...answerRow(run, said, now()), status: 'complete' as const }
  // A continued run already has an answer.
  const stored = await trx
    .insertInto('messages')
    .values(message)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ text: said, status: 'complete' }))
    .returningAll()
    .executeTakeFirstOrThrow()
  putMessage(room, toMessage(stored))
}
