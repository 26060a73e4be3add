import { type ErrorBody, type ErrorCode, errorStatus } from '@copydesk/protocol'

/**
 * A request that can't be answered as asked. Thrown by routes and caught by the one error handler, which turns it into
 * the error body of docs/protocol.md.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }

  get status(): number {
    return errorStatus[this.code]
  }

  toBody(): ErrorBody {
    return { error: { code: this.code, message: this.message, ...(this.hint ? { hint: this.hint } : {}) } }
  }
}

/** Somebody has asked too often; `waitMs` is how long until they may again. */
export class RateLimited extends RequestError {
  readonly retryAfterSeconds: number
  constructor(message: string, waitMs: number) {
    const minutes = Math.ceil(waitMs / 60_000)
    super('rate_limited', message, `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`)
    this.retryAfterSeconds = Math.ceil(waitMs / 1000)
  }
}
