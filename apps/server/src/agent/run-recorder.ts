import type {
  AgentOutcome,
  AssistantMessage,
  ToolCall,
  ToolOutcome,
  TranscriptMessage,
  Usage,
  UserMessage,
} from '@copydesk/agent'
import type { StepStatus } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import { inEnglish, type Localizable, localizable } from '@copydesk/tools'
import type { Transaction } from 'kysely'
import { recordUsage, type UsedModel } from '../budgets/usage.ts'
import { agentIdentity } from '../common/identity.ts'
import { appliedUpdate, publishDocUpdate } from '../events/publish.ts'
import { noteStepChanges } from '../runs/step-changes.ts'
import { putMessage } from '../room/room.ts'
import type { RunRow, StepRow, Tables } from '../store/tables.ts'
import { answerRow, endRun, type RunEndingDeps } from './run-ending.ts'
import { receiptKeyOf, receiptPrefixOf, requireLease } from '../runs/run-lease.ts'
import { toMessage } from '../runs/run-rows.ts'
import { detailOf, detailOfHeldCall, textBeforeCall } from '../runs/step-details.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

export type RunRecorderDeps = RunEndingDeps & Pick<RunWorkerDeps, 'signals' | 'elapsed'>

/**
 * Stores the events of one run, step by step, and shows them in the room in the same SQL transaction. Every write first
 * checks the run's lease epoch.
 */
export class RunRecorder {
  readonly #run: RunRow
  readonly #deps: RunRecorderDeps
  readonly #startedAt: number
  #model: UsedModel | undefined

  constructor(run: RunRow, deps: RunRecorderDeps) {
    this.#run = run
    this.#deps = deps
    this.#startedAt = deps.elapsed()
  }

  /** The receipt key of a call in the content document. */
  receiptKey(callId: string): string {
    return receiptKeyOf(this.#run, callId)
  }

  /** The prefix of this run's receipt keys. */
  get receiptPrefix(): string {
    return receiptPrefixOf(this.#run)
  }

  /** The model whose answers and tokens are recorded from now on. */
  uses(model: UsedModel): void {
    this.#model = model
  }

  async saveAnswer(message: AssistantMessage, progress: { rounds: number; usage: Usage }): Promise<void> {
    await this.#save(async (trx) => {
      await this.#addMessage(trx, message)
      await recordUsage(trx, this.#run.id, { ...progress, model: this.#model }, this.#deps.now())
    })
  }

  /** Stores the summary that replaces earlier messages of the run, and shows it as a step. */
  async saveSummary(summary: UserMessage, progress: { rounds: number; usage: Usage }): Promise<void> {
    const title = localizable`Summarised its earlier steps`
    const now = this.#deps.now()
    await this.#save(async (trx) => {
      const { round } = await this.#lastAnswer(trx)
      await this.#addMessage(trx, summary)
      await recordUsage(trx, this.#run.id, { ...progress, model: this.#model }, now)
      await trx
        .insertInto('run_steps')
        .values({
          id: `summary-${summary.summarises}`,
          run: this.#run.id,
          position: await this.#nextPosition(trx, 'run_steps'),
          tool: 'read_summary',
          arguments: '{}',
          status: 'ok',
          summary: inEnglish(title),
          localizable: JSON.stringify(title),
          detail: detailOf({ ok: true, text: '', summary: '', excerpt: summary.text }),
          round,
          said: null,
          started_at: now,
          ended_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
  }

  /** Stores a notice for users about a run that continues. */
  async saveNotice(notice: string): Promise<void> {
    await this.#save(async (trx) => {
      await this.#set(trx, { notice })
    })
  }

  async saveStepStarted(call: ToolCall, activity: Localizable): Promise<void> {
    await this.#save(async (trx) => {
      const position = await this.#nextPosition(trx, 'run_steps')
      const known = await trx
        .selectFrom('run_steps')
        .select('id')
        .where('run', '=', this.#run.id)
        .where('id', '=', call.id)
        .executeTakeFirst()
      if (!known) await this.#set(trx, { idle_claims: 0 })
      const answer = await this.#lastAnswer(trx)
      await trx
        .insertInto('run_steps')
        .values({
          id: call.id,
          run: this.#run.id,
          position,
          tool: call.name,
          arguments: JSON.stringify(call.arguments),
          status: 'running',
          summary: inEnglish(activity),
          localizable: JSON.stringify(activity),
          round: answer.round,
          said: textBeforeCall(call.id, answer.message),
          started_at: this.#deps.now(),
          ended_at: null,
        })
        // A resumed run starts its interrupted step again.
        .onConflict((conflict) => conflict.columns(['run', 'id']).doUpdateSet({ status: 'running' }))
        .execute()
    })
  }

  /** Stores a tool's result for the model and for users, and the current meaning of the block numbers. */
  async saveStepFinished(call: ToolCall, outcome: ToolOutcome, coordinates: unknown): Promise<void> {
    await this.#save(async (trx) => {
      await this.#setStep(trx, call, {
        status: stepStatus(outcome),
        // The proposal must remain visible after a rejection.
        ...(outcome.rejected ? {} : summaryOf(outcome)),
        detail: detailOf(outcome),
        ended_at: this.#deps.now(),
      })
      const { id: run, document } = this.#run
      await noteStepChanges(trx, { document, run, step: call.id, ok: outcome.ok, details: outcome.details })
      const { id: callId, name } = call
      await this.#addMessage(trx, { role: 'tool', callId, name, text: outcome.text, isError: !outcome.ok })
      await this.#set(trx, { coordinates: JSON.stringify(coordinates) })
    })
    const update = outcome.ok ? appliedUpdate(outcome.details) : undefined
    if (update) publishDocUpdate(this.#deps.signals, this.#run.document, update, this.#run.id)
  }

  /**
   * Stores that a call waits for a user's decision, with its proposed change. Earlier decisions on the call are void.
   */
  async saveStepHeld(call: ToolCall, outcome: ToolOutcome, coordinates: unknown): Promise<void> {
    await this.#save(async (trx) => {
      await this.#setStep(trx, call, {
        status: 'awaiting_approval',
        ...summaryOf(outcome),
        proposal: JSON.stringify(outcome.held ?? []),
        detail: detailOfHeldCall(outcome),
        approval: null,
        approved_arguments: null,
      })
      await this.#set(trx, { idle_claims: 0 })
      await this.#set(trx, { coordinates: JSON.stringify(coordinates) })
    })
  }

  /**
   * Stores that the run waits for decisions of users, and shows its answer so far. `queued` if they have decided
   * meanwhile. With `stop_requested` nothing is stored, and the run has to be ended.
   */
  async pauseForApproval(said: string): Promise<'awaiting_approval' | 'queued' | 'stop_requested'> {
    let status: 'awaiting_approval' | 'queued' | 'stop_requested' = 'stop_requested'
    await this.#deps.runs.show(this.#run.id, async ({ doc, trx }) => {
      const row = await this.#requireLease(trx)
      if (row.stop_requested) return
      const steps = await this.#deps.runs.steps(this.#run.id, trx)
      status = steps.some(({ status }) => status === 'awaiting_approval') ? 'awaiting_approval' : 'queued'
      await this.#set(trx, { status, used_ms: this.#usedMs })
      if (said !== '' && this.#run.trigger_kind === 'chat')
        putMessage(doc, toMessage(answerRow(this.#run, said, this.#deps.now())))
    })
    return status
  }

  /**
   * Leaves the run to the next worker. The used time stays counted; this claim doesn't count as a claim without
   * progress. Has no effect on a run that another worker has claimed.
   */
  async releaseClaim(): Promise<void> {
    await this.#deps.runs.releaseClaim(this.#run, this.#usedMs)
  }

  /** Stores how the run ended; see `endRun`. */
  finish(outcome: AgentOutcome, said: string, hasReceipts: boolean): Promise<void> {
    return endRun(this.#run, { outcome, said, hasReceipts, model: this.#model }, this.#deps)
  }

  /** Shows the agent's answer so far, before it is complete. */
  async showAnswer(said: string): Promise<void> {
    await this.#deps.writer.write(
      roomName(this.#run.document),
      { actor: agentIdentity.id, run: this.#run.id },
      async ({ doc, trx }) => {
        await this.#requireLease(trx)
        putMessage(doc, toMessage(answerRow(this.#run, said, this.#deps.now())))
      },
    )
  }

  async #save(change: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
    await this.#deps.runs.show(this.#run.id, async ({ trx }) => {
      await this.#requireLease(trx)
      await change(trx)
      await this.#set(trx, { used_ms: this.#usedMs })
    })
  }

  /** The time that this worker and earlier ones have spent on the run, in milliseconds. */
  get #usedMs(): number {
    return this.#run.used_ms + Math.round(this.#deps.elapsed() - this.#startedAt)
  }

  #requireLease(trx: Transaction<Tables>): Promise<RunRow> {
    return requireLease(this.#run, this.#deps.runs, trx)
  }

  async #nextPosition(trx: Transaction<Tables>, table: 'run_steps' | 'run_messages'): Promise<number> {
    const { count } = await trx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('run', '=', this.#run.id)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** The answer whose calls are being executed: `round`, the number of answers so far, and its message. */
  async #lastAnswer(trx: Transaction<Tables>): Promise<{ round: number; message: TranscriptMessage | undefined }> {
    const said = (await this.#deps.runs.transcript(this.#run.id, trx)).filter(({ role }) => role === 'assistant')
    return { round: said.length, message: said.at(-1) }
  }

  async #addMessage(trx: Transaction<Tables>, message: TranscriptMessage): Promise<void> {
    const position = await this.#nextPosition(trx, 'run_messages')
    await trx
      .insertInto('run_messages')
      .values({ run: this.#run.id, position, message: JSON.stringify(message) })
      .execute()
    await this.#set(trx, { idle_claims: 0 })
  }

  async #set(trx: Transaction<Tables>, columns: Partial<RunRow>): Promise<void> {
    await trx.updateTable('runs').set(columns).where('id', '=', this.#run.id).execute()
  }

  async #setStep(trx: Transaction<Tables>, call: ToolCall, columns: Partial<StepRow>): Promise<void> {
    await trx.updateTable('run_steps').set(columns).where('run', '=', this.#run.id).where('id', '=', call.id).execute()
  }
}

function summaryOf({ summary, localizable }: ToolOutcome): Pick<StepRow, 'summary' | 'localizable'> {
  return { summary, localizable: localizable === undefined ? null : JSON.stringify(localizable) }
}

function stepStatus(outcome: ToolOutcome): StepStatus {
  if (outcome.ok) return 'ok'
  return outcome.rejected ? 'rejected' : 'error'
}
