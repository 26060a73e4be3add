import type { AgentOutcome, AssistantMessage, ToolCall, ToolOutcome, TranscriptMessage, Usage } from '@copydesk/agent'
import { isFinal, type RunStatus } from '@copydesk/protocol'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import { agentIdentity } from '../collaboration/identity.ts'
import { putMessage, putRun, removeMessage } from '../room/room.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { toMessage } from './run-rows.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

/** The run is over, or another worker has taken it over; this one must write nothing more. */
export class RunSuperseded extends Error {
  override readonly name = 'RunSuperseded'
}

export type RunJournalDeps = Pick<RunWorkerDeps, 'runs' | 'writer' | 'now'>

/**
 * Stores what happens in one run, step by step, and shows it in the room in the same SQL transaction. Every write first
 * checks the run's lease epoch.
 */
export class RunJournal {
  readonly #run: RunRow
  readonly #deps: RunJournalDeps

  constructor(run: RunRow, deps: RunJournalDeps) {
    this.#run = run
    this.#deps = deps
  }

  /** The receipt key of a call in the content document. */
  receiptKey(callId: string): string {
    return `${this.#run.id}/${callId}`
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
        .set({ status: outcome.ok ? 'ok' : 'error', summary: outcome.summary, ended_at: this.#deps.now() })
        .where('run', '=', this.#run.id)
        .where('id', '=', call.id)
        .execute()
      const { id: callId, name } = call
      await this.#addMessage(trx, { role: 'tool', callId, name, text: outcome.text, isError: !outcome.ok })
      await trx
        .updateTable('runs')
        .set({ coordinates: JSON.stringify(coordinates) })
        .where('id', '=', this.#run.id)
        .execute()
    })
  }

  /**
   * Stores how the run ended and takes its receipts out of the content, in one transaction. `hasReceipts` saves opening
   * the content for runs that changed nothing.
   */
  async finish(outcome: AgentOutcome, said: string, hasReceipts: boolean): Promise<void> {
    const { id, document } = this.#run
    const names = hasReceipts ? [roomName(document), contentName(document)] : [roomName(document)]
    await this.#deps.writer.writeMany(names, { actor: agentIdentity.id, run: id }, async ({ docs, trx }) => {
      await this.#requireLease(trx)
      await this.#writeFinal(trx, outcome)
      const receipts = docs.get(contentName(document))?.getMap(contentTypes.receipts)
      for (const key of receipts?.keys() ?? []) if (key.startsWith(this.receiptKey(''))) receipts?.delete(key)
      const room = docs.get(roomName(document))
      const run = await this.#deps.runs.find(id, trx)
      if (!room || !run) return
      putRun(room, run)
      // What was shown of an answer that came to nothing goes.
      if (said === '') return removeMessage(room, this.#answerId)
      if (this.#run.trigger_kind !== 'chat') return
      const message = { ...this.#answerRow(said), status: 'complete' as const }
      await trx.insertInto('messages').values(message).execute()
      putMessage(room, toMessage(message))
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
    // A step that was cut off by Stop or a limit will not go on.
    await trx
      .updateTable('run_steps')
      .set({ status: 'error', summary: 'Ended before it was done', ended_at: this.#deps.now() })
      .where('run', '=', this.#run.id)
      .where('status', '=', 'running')
      .execute()
  }

  async #save(change: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
    await this.#deps.runs.show(this.#run.id, async ({ trx }) => {
      await this.#requireLease(trx)
      await change(trx)
    })
  }

  async #requireLease(trx: Transaction<Tables>): Promise<void> {
    const row = await this.#deps.runs.findRow(this.#run.id, trx)
    if (row?.epoch !== this.#run.epoch || row.ended_at !== null) throw new RunSuperseded(this.#run.id)
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
