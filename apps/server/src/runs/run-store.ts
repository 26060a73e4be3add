import type { TranscriptMessage } from '@copydesk/agent'
import type { Message, Run } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import type { Expression, Kysely, Transaction } from 'kysely'
import { findCalled, instructionOf } from '../agents/called-agent.ts'
import { RequestError } from '../common/errors.ts'
import { agentIdentity, type Sender } from '../common/identity.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { putMessage, putRun } from '../room/room.ts'
import type { DocumentTransactions, WriteScope } from '../store/log/document-transactions.ts'
import type { Statement } from '../store/sqlite/sqlite-protocol.ts'
import type { MessageRow, RunRow, StepRow, Tables } from '../store/tables.ts'
import { insertMentionRun, type MentionedRun, type NewRun, newRunRow, requireRoomInQueue } from './new-runs.ts'
import { toMessage, toRun } from './run-rows.ts'

type Db = Kysely<Tables> | Transaction<Tables>

/** A chat message that starts a run of the agent that it calls; `mentions` are the ids of mentioned users. */
export type NewMessage = Omit<NewRun, 'trigger'> & { mentions?: readonly string[] }

/**
 * Selects messages of a document's chat: those before the message `before`, those of the conversation `conversation`.
 */
type MessageFilter = { before?: string | undefined; conversation?: string | undefined }

export type RunStoreDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  notifications: Notifications
  now: () => number
  createId: () => string
  /** The rounds of a new run, read in the transaction that stores it. */
  maxRounds: Expression<number>
}

/**
 * Runs as rows and, in the same SQL transaction, as entries in the room document that all clients see. Used by the
 * routes, by collaboration and by workers.
 */
export class RunStore {
  readonly #deps: RunStoreDeps
  constructor(deps: RunStoreDeps) {
    this.#deps = deps
  }

  /**
   * Stores a chat message and the run that it starts, and shows both.
   * @throws RequestError `rate_limited` if the user has too many waiting runs.
   */
  async startFromChat({ mentions: ids, ...run }: NewMessage): Promise<{ message: Message; run: Run }> {
    const { createId, now, notifications } = this.#deps
    const created = { message: createId(), run: createId() }
    const message: MessageRow = {
      id: created.message,
      document: run.document,
      role: 'user',
      author_id: run.invokedBy.id,
      author_name: run.invokedBy.name,
      author_kind: 'person',
      text: run.instruction,
      mentions: null,
      status: 'complete',
      conversation: run.conversation ?? null,
      run: created.run,
      created_at: now(),
    }
    return this.#inRoom(run.document, run.invokedBy.id, async ({ doc, trx }) => {
      await requireRoomInQueue(trx, run.invokedBy.id)
      const called = await findCalled(trx, run.document, run.instruction)
      const given = called?.agent ? { instruction: instructionOf(run.instruction, called.handle), ...called } : {}
      const started = { ...run, ...given, trigger: { kind: 'chat', id: created.message } } as const
      const row = await newRunRow(trx, created.run, started, this.#deps)
      message.created_at = row.created_at
      const mentions = await notifications.mentionedIn(trx, run.document, run.instruction, ids)
      if (mentions.length > 0) message.mentions = JSON.stringify(mentions)
      await trx.insertInto('messages').values(message).execute()
      await trx.insertInto('runs').values(row).execute()
      const shown = { message: toMessage(message), run: toRun(row, []) }
      const { document, id: source, author_id: actor, text } = message
      const occasion = { document, source, actor, text, kind: 'mention', place: 'chat' } as const
      await notifications.notifyIn(
        trx,
        occasion,
        mentions.map(({ id }) => id),
      )
      putMessage(doc, shown.message)
      putRun(doc, shown.run)
      return shown
    })
  }

  /**
   * Stores a run and shows it, within the caller's write of the document's room. The caller publishes `run-queued`
   * after the write.
   * @throws RequestError `rate_limited` if the user has too many waiting runs.
   */
  async startIn({ doc, trx }: WriteScope, run: NewRun): Promise<Run> {
    await requireRoomInQueue(trx, run.invokedBy.id)
    const row = await newRunRow(trx, this.#deps.createId(), run, this.#deps)
    await trx.insertInto('runs').values(row).execute()
    const shown = toRun(row, [])
    putRun(doc, shown)
    return shown
  }

  /**
   * The statement that stores a run for a mention, for the transaction that appends the update with the mention. It has
   * no effect if this mention was sent before, or if the user has too many waiting runs.
   */
  mentionStatement(document: string, mention: MentionedRun, sender: Pick<Sender, 'actor' | 'apiKey'>): Statement {
    return insertMentionRun(this.#deps, document, mention, sender)
  }

  /** Shows the run that a mention started; `undefined` if there is none. */
  async showMentionRun(document: string, requestId: string): Promise<Run | undefined> {
    const row = await this.#deps.db
      .selectFrom('runs')
      .selectAll()
      .where('document', '=', document)
      .where('trigger_kind', '=', 'mention')
      .where('trigger_id', '=', requestId)
      .executeTakeFirst()
    return row && this.show(row.id)
  }

  /** Updates a run's room entry from its row, after `change` has changed the row. */
  async show(id: string, change?: (scope: WriteScope) => Promise<void>): Promise<Run | undefined> {
    const found = await this.findRow(id)
    if (!found) return undefined
    return this.#inRoom(found.document, agentIdentity.id, async (scope) => {
      await change?.(scope)
      const run = await this.find(id, scope.trx)
      if (run) putRun(scope.doc, run)
      return run
    })
  }

  async findRow(id: string, db: Db = this.#deps.db): Promise<RunRow | undefined> {
    return db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
  }

  async find(id: string, db: Db = this.#deps.db): Promise<Run | undefined> {
    const row = await this.findRow(id, db)
    return row && toRun(row, await this.steps(id, db))
  }

  /** The runs of a document, newest first. */
  async list(document: string, limit = 100): Promise<Run[]> {
    const rows = await this.#deps.db
      .selectFrom('runs')
      .selectAll()
      .where('document', '=', document)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
    return Promise.all(rows.map(async (row) => toRun(row, await this.steps(row.id))))
  }

  /** The messages of the model and tools in this run so far, in order. */
  async transcript(id: string, db: Db = this.#deps.db): Promise<TranscriptMessage[]> {
    const rows = await db
      .selectFrom('run_messages')
      .select('message')
      .where('run', '=', id)
      .orderBy('position')
      .execute()
    return rows.map(({ message }) => JSON.parse(message) as TranscriptMessage)
  }

  /**
   * The chat of a document, oldest first: at most `limit` messages of those that the filter selects.
   * @throws RequestError `invalid_input` if the document has no such message.
   */
  async messages(
    document: string,
    { before, conversation, limit = 200 }: MessageFilter & { limit?: number } = {},
  ): Promise<Message[]> {
    let query = this.#deps.db.selectFrom('messages').selectAll().where('document', '=', document)
    if (conversation !== undefined) query = query.where('conversation', '=', conversation)
    if (before !== undefined) {
      const pivot = await this.#deps.db
        .selectFrom('messages')
        .select('created_at')
        .where('id', '=', before)
        .where('document', '=', document)
        .executeTakeFirst()
      if (!pivot) {
        throw new RequestError(
          'invalid_input',
          'before: no message of this document.',
          'Use the id of one of its messages.',
        )
      }
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(pivot.created_at, before)),
      )
    }
    const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    return rows.reverse().map(toMessage)
  }

  /**
   * The questions before this run in its conversation and their answers, in the order of the questions: an answer
   * follows its question even if it was stored after this run was requested. At most `limit` messages, the latest, with
   * the API keys of their runs.
   */
  async chatBefore(run: RunRow, limit: number): Promise<(Message & { apiKey: string | null })[]> {
    const rows = await this.#deps.db
      .selectFrom('messages')
      .innerJoin('runs', 'runs.id', 'messages.run')
      .selectAll('messages')
      .select('runs.api_key')
      .where('messages.document', '=', run.document)
      .where('runs.conversation', run.conversation === null ? 'is' : '=', run.conversation)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('runs.created_at', 'runs.id'), '<', tuple(run.created_at, run.id)),
      )
      .orderBy('runs.created_at', 'desc')
      .orderBy('runs.id', 'desc')
      .orderBy('messages.created_at', 'desc')
      .limit(limit)
      .execute()
    return rows.reverse().map((row) => ({ ...toMessage(row), apiKey: row.api_key }))
  }

  /**
   * Records that a worker leaves a run unchanged: the time spent on it, and that this claim doesn't count as a claim
   * without progress. Has no effect if the run has ended or another worker has claimed it.
   */
  async releaseClaim({ id, epoch }: Pick<RunRow, 'id' | 'epoch'>, usedMs: number): Promise<void> {
    await this.#deps.db
      .updateTable('runs')
      .set((eb) => ({
        used_ms: usedMs,
        idle_claims: eb
          .case()
          .when('idle_claims', '>', 0)
          .then(eb('idle_claims', '-', 1))
          .else(0)
          .end(),
      }))
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where('ended_at', 'is', null)
      .execute()
  }

  /** Requests the stop of a run that has a worker; the caller must signal the worker. Other runs stay unchanged. */
  async requestStop(id: string): Promise<Run | undefined> {
    return this.show(id, async ({ trx }) => {
      await trx
        .updateTable('runs')
        .set({ stop_requested: 1 })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .execute()
    })
  }

  /** The steps of a run, in order. */
  async steps(run: string, db: Db = this.#deps.db): Promise<StepRow[]> {
    return db.selectFrom('run_steps').selectAll().where('run', '=', run).orderBy('position').execute()
  }

  #inRoom<T>(document: string, actor: string, change: (scope: WriteScope) => Promise<T>): Promise<T> {
    return this.#deps.writer.write(roomName(document), { actor }, change)
  }
}
