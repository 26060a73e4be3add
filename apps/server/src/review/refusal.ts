import type { ErrorCode } from '@copydesk/protocol'
import { RequestError } from '../errors.ts'

/** Why something that was asked for can't be done; nothing was stored. */
export type Refusal = { ok: false; code: ErrorCode; message: string; hint: string }

/** A refusal as a value. */
export function refuse(code: ErrorCode, message: string, hint: string): Refusal {
  return { ok: false, code, message, hint }
}

/**
 * The outcome of something that may be refused.
 * @throws RequestError for a refusal, which a route answers with.
 */
export function orThrow<T extends { ok: true }>(outcome: T | Refusal): T {
  if (outcome.ok) return outcome
  throw new RequestError(outcome.code, outcome.message, outcome.hint)
}
