import { type Expression, expressionBuilder, type SqlBool, type Transaction } from 'kysely'
import { RequestError } from '../errors.ts'
import type { Tables } from '../store/tables.ts'

// Each run has a row, an entry in a room that every client there reads, and an entry in the queue that a worker reads
// at each look for runs.
const waitingAtMost = 100

function waitingOf(person: string) {
  return expressionBuilder<Tables>()
    .selectFrom('runs as waiting')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('waiting.status', 'in', ['queued', 'running'])
    .where('waiting.invoked_by', '=', person)
}

/** Whether a user may start one more run, as a condition of a statement that is executed later. */
export function hasRoomInQueue(person: string): Expression<SqlBool> {
  return expressionBuilder<Tables>()(waitingOf(person), '<', waitingAtMost)
}

/**
 * Requires that a user has fewer than a hundred runs that aren't over.
 * @throws RequestError `rate_limited`.
 */
export async function requireRoomInQueue(trx: Transaction<Tables>, person: string): Promise<void> {
  const { found } = await trx.selectNoFrom(waitingOf(person).as('found')).executeTakeFirstOrThrow()
  if (Number(found) < waitingAtMost) return
  throw new RequestError(
    'rate_limited',
    `The agent has ${waitingAtMost} things of yours to do already.`,
    'Wait until some of them are done, or stop them.',
  )
}
