import type { TranscriptMessage } from '@copydesk/agent'
import type { Access, AgentMode, Message, Run, User } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import type { Kysely, Transaction } from 'kysely'
import { agentIdentity } from '../collaboration/identity.ts'
import type { Sender } from '../collaboration/sender.ts'
import { RequestError } from '../errors.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { putMessage, putRun } from '../room/room.ts'
import type { DocumentTransactions, WriteScope } from '../store/document-transactions.ts'
import { toStatement } from '../store/sqlite-dialect.ts'
import type { Statement } from '../store/sqlite-protocol.ts'
import type { MessageRow, RunRow, StepRow, Tables } from '../store/tables.ts'
import { toMessage, toRun } from './run-rows.ts'
import { hasRoomInQueue, requireRoomInQueue } from './run-queue.ts'
import { nextRunTimestamp, nextTimestamp } from './timestamps.ts'

type Db = Kysely<Tables> | Transaction<Tables>

/**
 * The credential with which a user calls the agent: their access to the document, and the id of the API key if a
 * program calls on their behalf.
 */
export type RunCredential = { access: Access; apiKey: string | null }

/** A run to start; `invokedBy` is the caller. */
export type NewRun = {
  document: string
  trigger: Run['trigger']
  instruction: string
  invokedBy: Pick<User, 'id' | 'name'>
  credential: RunCredential
  mode: AgentMode
  selection?: { anchor: string; head: string }
}

/** A chat message that starts a run; `mentions` are the ids of users to mention. */
export type NewMessage = Omit<NewRun, 'trigger'> & { mentions?: readonly string[] }

export type RunStoreDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  notifications: Notifications
  now: () => number
  createId: () => string
  maxRounds: number
}

const mentionColumns = [
  'id',
  'document',
  'status',
  'trigger_kind',
  'trigger_id',
  'instruction',
  'invoked_by',
  'invoked_by_name',
  'access_limit',
  'api_key',
  'context',
  'mode',
  'max_rounds',
  'created_at',
] as const

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
      run: created.run,
      created_at: now(),
    }
    return this.#inRoom(run.document, run.invokedBy.id, async ({ doc, trx }) => {
      await requireRoomInQueue(trx, run.invokedBy.id)
      const row = await this.#newRow(trx, created.run, { ...run, trigger: { kind: 'chat', id: created.message } })
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
    const row = await this.#newRow(trx, this.#deps.createId(), run)
    await trx.insertInto('runs').values(row).execute()
    const shown = toRun(row, [])
    putRun(doc, shown)
    return shown
  }

  /**
   * The statement that stores a run for a mention, for the transaction that appends the update which sent it. It has no
   * effect if this mention was sent before, or if the user has too many waiting runs.
   */
  mentionStatement(
    document: string,
    { requestId, instruction, context }: { requestId: string; instruction: string; context: string | undefined },
    { actor, apiKey }: Pick<Sender, 'actor' | 'apiKey'>,
  ): Statement {
    const { db, createId, now, maxRounds } = this.#deps
    const query = db
      .insertInto('runs')
      .columns(mentionColumns)
      .expression((eb) =>
        eb
          .selectFrom(['documents', 'people'])
          .select((select) => [
            select.val(createId()).as('id'),
            'documents.id as document',
            select.val('queued').as('status'),
            select.val('mention').as('trigger_kind'),
            select.val(requestId).as('trigger_id'),
            select.val(instruction).as('instruction'),
            'people.id as invoked_by',
            'people.name as invoked_by_name',
            // A sender without the right to write could not have sent it.
            select.val('write').as('access_limit'),
            select.val(apiKey ?? null).as('api_key'),
            select.val(context ?? null).as('context'),
            'documents.agent_mode as mode',
            select.val(maxRounds).as('max_rounds'),
            nextRunTimestamp(document, now()).as('created_at'),
          ])
          .where('documents.id', '=', document)
          .where('people.id', '=', actor)
          .where(hasRoomInQueue(actor))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('unstarted_mentions')
                  .select('request_id')
                  .where('unstarted_mentions.document', '=', document)
                  .where('request_id', '=', requestId),
              ),
            ),
          ),
      )
      .onConflict((conflict) => conflict.doNothing())
    return toStatement(query.compile())
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

  /** What the model and tools have said in this run so far, in order. */
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
   * The chat of a document, oldest first; with `before`, only messages earlier than that one.
   * @throws RequestError `invalid_input` if the document has no such message.
   */
  async messages(document: string, options: { before?: string; limit?: number } = {}): Promise<Message[]> {
    const { db } = this.#deps
    let query = db.selectFrom('messages').selectAll().where('document', '=', document)
    const pivot = options.before
      ? await db
          .selectFrom('messages')
          .select('created_at')
          .where('id', '=', options.before)
          .where('document', '=', document)
          .executeTakeFirst()
      : undefined
    if (options.before !== undefined && !pivot) {
      throw new RequestError(
        'invalid_input',
        'before: no message of this document.',
        'Take the id of one of its messages.',
      )
    }
    if (pivot && options.before !== undefined) {
      const { before } = options
      query = query.where((eb) =>
        eb.or([
          eb('created_at', '<', pivot.created_at),
          eb.and([eb('created_at', '=', pivot.created_at), eb('id', '<', before)]),
        ]),
      )
    }
    const rows = await query
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(options.limit ?? 200)
      .execute()
    return rows.reverse().map(toMessage)
  }

  /**
   * The questions asked in the chat before this run and their answers, in the order of the questions: an answer follows
   * its question even if it came after this run was requested. At most `limit` messages, the latest, with the API keys
   * of their runs.
   */
  async chatBefore(run: RunRow, limit: number): Promise<(Message & { apiKey: string | null })[]> {
    const rows = await this.#deps.db
      .selectFrom('messages')
      .innerJoin('runs', 'runs.id', 'messages.run')
      .selectAll('messages')
      .select('runs.api_key')
      .where('messages.document', '=', run.document)
      .where((eb) =>
        eb.or([
          eb('runs.created_at', '<', run.created_at),
          eb.and([eb('runs.created_at', '=', run.created_at), eb('runs.id', '<', run.id)]),
        ]),
      )
      .orderBy('runs.created_at', 'desc')
      .orderBy('runs.id', 'desc')
      .orderBy('messages.created_at', 'desc')
      .limit(limit)
      .execute()
    return rows.reverse().map((row) => ({ ...toMessage(row), apiKey: row.api_key }))
  }

  /**
   * Records that a worker leaves a run unchanged: how long it has been worked on, and that this claim doesn't count as
   * one without progress. Has no effect if the run has ended or another worker has it.
   */
  async giveBack({ id, epoch }: Pick<RunRow, 'id' | 'epoch'>, usedMs: number): Promise<void> {
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

  /** Marks a run that a worker has as to be stopped; the caller must signal the worker. Other runs stay unchanged. */
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

  async #newRow(trx: Transaction<Tables>, id: string, run: NewRun): Promise<RunRow> {
    return {
      id,
      document: run.document,
      status: 'queued',
      trigger_kind: run.trigger.kind,
      trigger_id: run.trigger.id,
      instruction: run.instruction,
      invoked_by: run.invokedBy.id,
      invoked_by_name: run.invokedBy.name,
      access_limit: run.credential.access,
      api_key: run.credential.apiKey,
      context: null,
      mode: run.mode,
      selection: run.selection ? JSON.stringify(run.selection) : null,
      rounds: 0,
      max_rounds: this.#deps.maxRounds,
      input_tokens: 0,
      output_tokens: 0,
      answer: null,
      notice: null,
      error: null,
      epoch: 0,
      stop_requested: 0,
      coordinates: null,
      used_ms: 0,
      idle_claims: 0,
      continued: 0,
      undone: 0,
      created_at: await nextTimestamp(trx, run.document, this.#deps.now()),
      ended_at: null,
    }
  }

  /** The steps of a run, in order. */
  async steps(run: string, db: Db = this.#deps.db): Promise<StepRow[]> {
    return db.selectFrom('run_steps').selectAll().where('run', '=', run).orderBy('position').execute()
  }

  #inRoom<T>(document: string, actor: string, change: (scope: WriteScope) => Promise<T>): Promise<T> {
    return this.#deps.writer.write(roomName(document), { actor }, change)
  }
}
