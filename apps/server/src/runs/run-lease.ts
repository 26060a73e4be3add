import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { RunRow, Tables } from '../store/tables.ts'
import type { RunStore } from './run-store.ts'

/** The run has ended, or another worker has claimed it; this worker must not write any more. */
export class RunSuperseded extends Error {
  override readonly name = 'RunSuperseded'
}

/**
 * The run's current row, if the run is still running under the lease epoch of `run`.
 * @throws RunSuperseded if it isn't.
 */
export async function requireLease(run: RunRow, runs: RunStore, trx: Transaction<Tables>): Promise<RunRow> {
  const row = await runs.findRow(run.id, trx)
  if (row?.epoch !== run.epoch || row.ended_at !== null) throw new RunSuperseded(run.id)
  return row
}

/** `requireLease` as a check that a write runs first, in its own transaction. */
export function leaseCheck(run: RunRow, runs: RunStore): (trx: Transaction<Tables>) => Promise<void> {
  return async (trx) => void (await requireLease(run, runs, trx))
}

/** The prefix of a run's receipt keys in the content document. */
export function receiptPrefixOf({ id }: Pick<RunRow, 'id'>): string {
  return `${shortHash(id, 8)}.`
}

/** The receipt key of a call; short, since every client receives it with every change. */
export function receiptKeyOf(run: Pick<RunRow, 'id'>, callId: string): string {
  return `${receiptPrefixOf(run)}${shortHash(callId, 6)}`
}

/** The first `length` characters of a text's SHA-256 in base64url. */
export function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length)
}
