import { createHash } from 'node:crypto'
import type { AgentOutcome, AssistantMessage, ToolCall, ToolOutcome, TranscriptMessage, Usage } from '@copydesk/agent'
import { isFinal, type RunStatus, type StepStatus } from '@copydesk/protocol'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import { agentIdentity } from '../collaboration/identity.ts'
import { appliedUpdate, publishDocUpdate } from '../events/publish.ts'
import { closeStepChanges, noteStepChanges } from '../history/step-changes.ts'
import { putMessage, putRun, removeMessage } from '../room/room.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { toMessage } from './run-rows.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

/** The run is over, or another worker has taken it over; this one must write nothing more. */
export class RunSuperseded extends Error {
  override readonly name = 'RunSuperseded'
}

export type RunJournalDeps = Pick<RunWorkerDeps, 'runs' | 'threads' | 'writer' | 'signals' | 'now'>

/**
 * Stores what happens in one run, step by step, and shows it in the room in the same SQL transaction. Every write first
 * checks the run's lease epoch.
 */
export class RunJournal {
  readonly #run: RunRow
  readonly #deps: RunJournalDeps
  readonly #startedAt: number

  constructor(run: RunRow, deps: RunJournalDeps) {
    this.#run = run
    this.#deps = deps
    this.#startedAt = deps.now()
  }

  /** The receipt key of a call in the content document; short, since it travels to everybody with every change. */
  receiptKey(callId: string): string {
    return `${this.receiptPrefix}${shortHash(callId, 6)}`
  }

  /** What the receipt keys of this run begin with. */
  get receiptPrefix(): string {
    return `${shortHash(this.#run.id, 8)}.`
  }

  async saveAnswer(message: AssistantMessage, progress: { rounds: number; usage: Usage }): Promise<void> {
    await this.#save(async (trx) => {
      await this.#addMessage(trx, message)
      await trx
        .updateTable('runs')
        .set({
          rounds: progress.rounds,
          input_tokens: progress.usage.inputTokens,
          output_tokens: progress.usage.outputTokens,
        })
        .where('id', '=', this.#run.id)
        .execute()
    })
  }

  /** Stores something that people should know about the run although it goes on. */
  async saveNotice(notice: string): Promise<void> {
    await this.#save(async (trx) => {
      await trx.updateTable('runs').set({ notice }).where('id', '=', this.#run.id).execute()
    })
  }

  async saveStepStarted(call: ToolCall, summary: string): Promise<void> {
    await this.#save(async (trx) => {
      const position = await this.#nextPosition(trx, 'run_steps')
      await trx
        .insertInto('run_steps')
        .values({
          id: call.id,
          run: this.#run.id,
          position,
          tool: call.name,
          arguments: JSON.stringify(call.arguments),
          status: 'running',
          summary,
          started_at: this.#deps.now(),
          ended_at: null,
        })
        // A run that is taken up again starts the step that it was in once more.
        .onConflict((conflict) => conflict.columns(['run', 'id']).doUpdateSet({ status: 'running' }))
        .execute()
    })
  }

  /** Stores a tool's result for the model and for people, and what the block numbers mean now. */
  async saveStepFinished(call: ToolCall, outcome: ToolOutcome, coordinates: unknown): Promise<void> {
    await this.#save(async (trx) => {
      await trx
        .updateTable('run_steps')
        .set({ status: stepStatus(outcome), summary: outcome.summary, ended_at: this.#deps.now() })
        .where('run', '=', this.#run.id)
        .where('id', '=', call.id)
        .execute()
      const { id: run, document } = this.#run
      await noteStepChanges(trx, { document, run, step: call.id, ok: outcome.ok, details: outcome.details })
      const { id: callId, name } = call
      await this.#addMessage(trx, { role: 'tool', callId, name, text: outcome.text, isError: !outcome.ok })
      await trx
        .updateTable('runs')
        .set({ coordinates: JSON.stringify(coordinates) })
        .where('id', '=', this.#run.id)
        .execute()
    })
    const update = outcome.ok ? appliedUpdate(outcome.details) : undefined
    if (update) publishDocUpdate(this.#deps.signals, this.#run.document, update, this.#run.id)
  }

  /** Stores that a call waits for a person, with what it would change. What was decided on it before is void. */
  async saveStepHeld(call: ToolCall, outcome: ToolOutcome, coordinates: unknown): Promise<void> {
    const proposal = JSON.stringify(outcome.held ?? [])
    await this.#save(async (trx) => {
      await trx
        .updateTable('run_steps')
        .set({ status: 'awaiting_approval', summary: outcome.summary, proposal, approval: null })
        .where('run', '=', this.#run.id)
        .where('id', '=', call.id)
        .execute()
      await trx
        .updateTable('runs')
        .set({ coordinates: JSON.stringify(coordinates) })
        .where('id', '=', this.#run.id)
        .execute()
    })
  }

  /**
   * Leaves the run to the people who have to decide, and shows what it has said so far. `queued` if they have decided
   * meanwhile; with `stop_requested` nothing is stored, and the run is to be ended.
   */
  async park(said: string): Promise<'awaiting_approval' | 'queued' | 'stop_requested'> {
    let parked: 'awaiting_approval' | 'queued' | 'stop_requested' = 'stop_requested'
    await this.#deps.runs.show(this.#run.id, async ({ doc, trx }) => {
      const row = await this.#requireLease(trx)
      if (row.stop_requested) return
      const steps = await this.#deps.runs.steps(this.#run.id, trx)
      parked = steps.some(({ status }) => status === 'awaiting_approval') ? 'awaiting_approval' : 'queued'
      await trx
        .updateTable('runs')
        .set({ status: parked, used_ms: this.#usedMs })
        .where('id', '=', this.#run.id)
        .execute()
      if (said !== '' && this.#run.trigger_kind === 'chat') putMessage(doc, toMessage(this.#answerRow(said)))
    })
    return parked
  }

  /**
   * Stores how the run ended and takes its receipts out of the content, in one transaction. `hasReceipts` saves opening
   * the content for runs that changed nothing.
   */
  async finish(outcome: AgentOutcome, said: string, hasReceipts: boolean): Promise<void> {
    const { id, document } = this.#run
    await this.#answerInThread(said)
    const names = hasReceipts ? [roomName(document), contentName(document)] : [roomName(document)]
    await this.#deps.writer.writeMany(names, { actor: agentIdentity.id, run: id }, async ({ docs, trx }) => {
      await this.#requireLease(trx)
      await this.#writeFinal(trx, outcome)
      const receipts = docs.get(contentName(document))?.getMap(contentTypes.receipts)
      for (const key of receipts?.keys() ?? []) if (key.startsWith(this.receiptPrefix)) receipts?.delete(key)
      const room = docs.get(roomName(document))
      const run = await this.#deps.runs.find(id, trx)
      if (!room || !run) return
      putRun(room, run)
      // What was shown of an answer that came to nothing goes.
      if (said === '') return removeMessage(room, this.#answerId)
      if (this.#run.trigger_kind !== 'chat') return
      const message = { ...this.#answerRow(said), status: 'complete' as const }
      // A run that went on after its limit has answered before.
      const stored = await trx
        .insertInto('messages')
        .values(message)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ text: said, status: 'complete' }))
        .returningAll()
        .executeTakeFirstOrThrow()
      putMessage(room, toMessage(stored))
    })
  }

  /** A write of its own, without the run's name: undo of the run leaves the mark of its answer's thread alone. */
  async #answerInThread(said: string): Promise<void> {
    const { trigger_kind: kind } = this.#run
    if (said === '' || (kind !== 'comment' && kind !== 'mention')) return
    const { id, name } = agentIdentity
    await this.#deps.threads.answer(this.#run, { id, name, kind: 'agent' }, said, async (trx) => {
      await this.#requireLease(trx)
    })
  }

  /** Shows what the agent has said so far, before the answer is complete. */
  async showAnswer(said: string): Promise<void> {
    await this.#deps.writer.write(
      roomName(this.#run.document),
      { actor: agentIdentity.id, run: this.#run.id },
      async ({ doc, trx }) => {
        await this.#requireLease(trx)
        putMessage(doc, toMessage(this.#answerRow(said)))
      },
    )
  }

  get #answerId(): string {
    return `answer-${this.#run.id}`
  }

  #answerRow(text: string) {
    return {
      id: this.#answerId,
      document: this.#run.document,
      role: 'agent' as const,
      author_id: agentIdentity.id,
      author_name: agentIdentity.name,
      author_kind: 'agent' as const,
      text,
      status: 'streaming' as const,
      run: this.#run.id,
      // Behind the question even where the clock has been set back.
      created_at: Math.max(this.#deps.now(), this.#run.created_at + 1),
    }
  }

  async #writeFinal(trx: Transaction<Tables>, outcome: AgentOutcome): Promise<void> {
    const status: RunStatus = outcome.status
    if (!isFinal(status)) throw new Error(`a run can't end as ${status}`)
    await trx
      .updateTable('runs')
      .set({
        status,
        rounds: outcome.rounds,
        input_tokens: outcome.usage.inputTokens,
        output_tokens: outcome.usage.outputTokens,
        answer: outcome.answer === '' ? null : outcome.answer,
        error: outcome.error ? JSON.stringify(outcome.error) : null,
        ended_at: this.#deps.now(),
      })
      .where('id', '=', this.#run.id)
      .execute()
    await closeStepChanges(trx, this.#run.document, this.#run.id)
    // A step that was cut off by Stop or a limit, or that waited for a person, will not go on.
    await trx
      .updateTable('run_steps')
      .set({ status: 'error', summary: 'Ended before it was done', ended_at: this.#deps.now() })
      .where('run', '=', this.#run.id)
      .where('status', 'in', ['running', 'awaiting_approval'])
      .execute()
  }

  async #save(change: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
    await this.#deps.runs.show(this.#run.id, async ({ trx }) => {
      await this.#requireLease(trx)
      await change(trx)
      await trx.updateTable('runs').set({ used_ms: this.#usedMs }).where('id', '=', this.#run.id).execute()
    })
  }

  /** How long the run has been worked on, by this worker and those before. */
  get #usedMs(): number {
    return this.#run.used_ms + this.#deps.now() - this.#startedAt
  }

  async #requireLease(trx: Transaction<Tables>): Promise<RunRow> {
    const row = await this.#deps.runs.findRow(this.#run.id, trx)
    if (row?.epoch !== this.#run.epoch || row.ended_at !== null) throw new RunSuperseded(this.#run.id)
    return row
  }

  async #nextPosition(trx: Transaction<Tables>, table: 'run_steps' | 'run_messages'): Promise<number> {
    const { count } = await trx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('run', '=', this.#run.id)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async #addMessage(trx: Transaction<Tables>, message: TranscriptMessage): Promise<void> {
    const position = await this.#nextPosition(trx, 'run_messages')
    await trx
      .insertInto('run_messages')
      .values({ run: this.#run.id, position, message: JSON.stringify(message) })
      .execute()
  }
}

function stepStatus(outcome: ToolOutcome): StepStatus {
  if (outcome.ok) return 'ok'
  return outcome.rejected ? 'rejected' : 'error'
}

function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length)
}
