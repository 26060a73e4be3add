import { type Expression, expressionBuilder, type SqlBool, type Transaction } from 'kysely'
import { RequestError } from '../errors.ts'
import type { Tables } from '../store/tables.ts'

// Each has a row, an entry in a room that everybody there reads, and a place in a line that every look for runs goes through.
const waitingAtMost = 100

function waitingOf(person: string) {
  return expressionBuilder<Tables>()
    .selectFrom('runs as waiting')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('waiting.status', 'in', ['queued', 'running'])
    .where('waiting.invoked_by', '=', person)
}

/** Whether a person may ask for one more run, as a condition of a statement that is carried out later. */
export function hasRoomInQueue(person: string): Expression<SqlBool> {
  return expressionBuilder<Tables>()(waitingOf(person), '<', waitingAtMost)
}

/** Makes sure that a person has fewer than a hundred runs that aren't over. @throws RequestError `rate_limited`. */
export async function requireRoomInQueue(trx: Transaction<Tables>, person: string): Promise<void> {
  const { found } = await trx.selectNoFrom(waitingOf(person).as('found')).executeTakeFirstOrThrow()
  if (Number(found) < waitingAtMost) return
  throw new RequestError(
    'rate_limited',
    `The agent has ${waitingAtMost} things of yours to do already.`,
    'Wait until some of them are done, or stop them.',
  )
}
