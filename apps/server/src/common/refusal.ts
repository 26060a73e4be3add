import type { ErrorCode } from '@copydesk/protocol'
import { inEnglish } from '@copydesk/tools/localizable'
import { type ErrorText, localizableOf, type LocalizableTexts, RequestError } from './errors.ts'

/** Why a request can't be carried out; nothing was stored. */
export type Refusal = { ok: false; code: ErrorCode; message: string; hint: string } & LocalizableTexts

/** Makes a refusal. */
export function refuse(code: ErrorCode, message: ErrorText, hint: ErrorText): Refusal {
  return { ok: false, code, message: inEnglish(message), hint: inEnglish(hint), ...localizableOf(message, hint) }
}

/**
 * Returns an outcome unless it is a refusal.
 * @throws RequestError for a refusal; a route answers with it.
 */
export function orThrow<T extends { ok: true }>(outcome: T | Refusal): T {
  if (outcome.ok) return outcome
  const { code, message, hint, localizable } = outcome
  throw new RequestError(code, localizable?.message ?? message, localizable?.hint ?? hint)
}
