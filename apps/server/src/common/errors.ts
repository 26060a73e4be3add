import { type ErrorBody, type ErrorCode, errorStatus } from '@copydesk/protocol'
import { counted, inEnglish, type Localizable, localizable } from '@copydesk/tools/localizable'

/** A text of an error: a text with values is a `Localizable`, so that interfaces can translate it. */
export type ErrorText = string | Localizable

/** The translatable forms of an error's texts that have values. */
export type LocalizableTexts = { localizable?: { message?: Localizable; hint?: Localizable } }

/** The translatable forms of these texts; empty if none has values. */
function localizableOf(message: ErrorText, hint: ErrorText | undefined): LocalizableTexts {
  const texts = Object.entries({ message, hint }).filter(([, text]) => typeof text === 'object')
  return texts.length === 0 ? {} : { localizable: Object.fromEntries(texts) }
}

/**
 * A request that the server refuses. Routes throw it; the central error handler turns it into the error body of
 * docs/protocol.md.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly text: ErrorText
  readonly #localizable: LocalizableTexts
  constructor(code: ErrorCode, message: ErrorText, hint?: ErrorText) {
    super(inEnglish(message))
    this.code = code
    this.text = message
    this.hint = hint === undefined ? undefined : inEnglish(hint)
    this.#localizable = localizableOf(message, hint)
  }

  get status(): number {
    return errorStatus[this.code]
  }

  toBody(): ErrorBody {
    const { code, message, hint } = this
    return { error: { code, message, ...(hint ? { hint } : {}), ...this.#localizable } }
  }
}

/** There is no such thing in a list that the caller has loaded before. */
export function noSuch(what: string): RequestError {
  return new RequestError('not_found', `There is no such ${what}.`, 'Load the list again.')
}

/** The caller exceeds a rate limit; `waitMs` is the time until the next request is allowed, in milliseconds. */
export class RateLimited extends RequestError {
  readonly retryAfterSeconds: number
  constructor(message: string, waitMs: number) {
    const seconds = Math.ceil(waitMs / 1000)
    const time = seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
    super('rate_limited', message, localizable`Try again in ${time}.`)
    this.retryAfterSeconds = seconds
  }
}

/** The reason why a request is refused; nothing was stored. */
export type Refusal = { ok: false; code: ErrorCode; message: string; hint: string } & LocalizableTexts

/** Creates a refusal. */
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
