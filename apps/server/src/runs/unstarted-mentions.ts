import { roomName } from '@copydesk/schema'
import type { UnstartedReason } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { serverActor } from '../common/identity.ts'
import { putUnstarted, unstartedKept } from '../room/room.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import { toStatement } from '../store/sqlite/sqlite-dialect.ts'
import type { Statement } from '../store/sqlite/sqlite-protocol.ts'
import type { Tables } from '../store/tables.ts'
import { shortHash } from './run-lease.ts'

type UnstartedMentionsDeps = { db: Kysely<Tables>; writer: DocumentTransactions; now: () => number }

/** A mention that was sent, and the reason if it has no run. */
export type MaybeUnstarted = { requestId: string; reason: UnstartedReason }

const rowsInStatement = 200

const messages: Readonly<Record<UnstartedReason, string>> = {
  too_many_at_once: 'more than 20 requests were sent at once',
  too_many_waiting: 'its sender has 100 requests waiting',
  unknown_agent: 'there is no such agent here',
  by_agent: 'the agent wrote it',
}

/**
 * Mentions that were sent and have started no run. They never start one: a mention is a request of its sender at the
 * time of sending; moving or copying it later has no effect.
 */
export class UnstartedMentions {
  readonly #deps: UnstartedMentionsDeps
  constructor(deps: UnstartedMentionsDeps) {
    this.#deps = deps
  }

  /**
   * Statements that record which of these mentions have no run; they follow the statements that start runs, in the same
   * transaction. `sender` is the value of `writerOf`.
   */
  statements(document: string, mentions: readonly MaybeUnstarted[], sender: string): Statement[] {
    if (mentions.length === 0) return []
    const { db, now } = this.#deps
    const at = now()
    const statements: Statement[] = []
    for (let from = 0; from < mentions.length; from += rowsInStatement) {
      const rows = mentions
        .slice(from, from + rowsInStatement)
        .map(({ requestId, reason }) => ({ document, request_id: requestId, sender, reason, at }))
      const insert = db
        .insertInto('unstarted_mentions')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
      statements.push(toStatement(insert.compile()))
    }
    const started = db
      .deleteFrom('unstarted_mentions')
      .where('document', '=', document)
      .where('shown', '=', 0)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('runs')
            .select('runs.id')
            .where('runs.document', '=', document)
            .where('runs.trigger_kind', '=', 'mention')
            .whereRef('runs.trigger_id', '=', 'unstarted_mentions.request_id'),
        ),
      )
    return [...statements, toStatement(started.compile())]
  }

  /** Shows in the room of a document which of its mentions have started no run. */
  async show(document: string): Promise<void> {
    const { db, writer } = this.#deps
    const unshown = (line: Kysely<Tables>) =>
      line
        .selectFrom('unstarted_mentions')
        .select(['request_id', 'reason', 'at'])
        .where('document', '=', document)
        .where('shown', '=', 0)
        .limit(unstartedKept)
    if (!(await unshown(db).executeTakeFirst())) return
    await writer.write(roomName(document), { actor: serverActor }, async ({ doc, trx }) => {
      const rows = await unshown(trx).orderBy('at', 'desc').execute()
      // Rows beyond the room's limit count as shown, since the room would remove them first.
      await trx
        .updateTable('unstarted_mentions')
        .set({ shown: 1 })
        .where('document', '=', document)
        .where('shown', '=', 0)
        .execute()
      // Clients choose request ids, and libraries keep keys in plain objects, which already have keys like
      // `constructor`.
      putUnstarted(doc, new Map(rows.map((row) => [shortHash(row.request_id, 22), toUnstarted(row)])))
    })
  }

  /** Calls `show` for every document with unshown rows, which a killed server may have left. */
  async showAll(): Promise<void> {
    const { db } = this.#deps
    const left = await db
      .selectFrom('unstarted_mentions')
      .select('document')
      .distinct()
      .where('shown', '=', 0)
      .execute()
    for (const { document } of left) await this.show(document)
  }
}

function toUnstarted({ request_id: id, reason, at }: Pick<UnstartedRow, 'request_id' | 'reason' | 'at'>) {
  return { id, reason, message: messages[reason], createdAt: new Date(at).toISOString() }
}

type UnstartedRow = Tables['unstarted_mentions']
