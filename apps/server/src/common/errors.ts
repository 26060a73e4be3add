import { type ErrorBody, type ErrorCode, errorStatus } from '@copydesk/protocol'

/**
 * A request that the server refuses. Routes throw it; the central error handler turns it into the error body of
 * docs/protocol.md.
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

/** The caller exceeds a rate limit; `waitMs` is the time until the next request is allowed, in milliseconds. */
export class RateLimited extends RequestError {
  readonly retryAfterSeconds: number
  constructor(message: string, waitMs: number) {
    const seconds = Math.ceil(waitMs / 1000)
    super(
      'rate_limited',
      message,
      `Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
    )
    this.retryAfterSeconds = seconds
  }
}
