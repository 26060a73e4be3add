import type { ErrorCode } from '@copydesk/protocol'
import { RequestError } from './errors.ts'

/** Why a request can't be carried out; nothing was stored. */
export type Refusal = { ok: false; code: ErrorCode; message: string; hint: string }

/** Makes a refusal. */
export function refuse(code: ErrorCode, message: string, hint: string): Refusal {
  return { ok: false, code, message, hint }
}

/**
 * Returns an outcome unless it is a refusal.
 * @throws RequestError for a refusal; a route answers with it.
 */
export function orThrow<T extends { ok: true }>(outcome: T | Refusal): T {
  if (outcome.ok) return outcome
  throw new RequestError(outcome.code, outcome.message, outcome.hint)
}
