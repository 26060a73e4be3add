import type { ModelFailure } from '../contract.ts'

/** The facts about a failed call before its classification: the HTTP status, if any, and the message. */
export type FailureDetails = {
  status?: number | undefined
  /** The service's own name of the error, such as `overloaded_error` or `insufficient_quota`. */
  kind?: string | undefined
  message: string
  retryAfterMs?: number | undefined
  /** Whether tools were offered: only then can the service have refused them. */
  toolsOffered: boolean
}

const toolsRefusedPatterns = [
  /(?:does|do)(?: not|n't) support (?:the use of )?(?:tools?|function|functions)\b/i,
  /\b(?:tools?|tool[ _](?:use|calls?|calling)|functions?|function[ _](?:use|calls?|calling))\b[^.]{0,40}\b(?:is|are)(?: not|n't) (?:supported|enabled|available)/i,
  /no endpoints found that support tool use/i,
  /tool choice requires --enable-auto-tool-choice/i,
  /tools param requires --jinja/i,
]

// Inside a stream that began with status 200, services report errors by name instead of a status.
const statusOfKind: Record<string, number> = {
  overloaded_error: 529,
  api_error: 500,
  server_error: 500,
  internal_error: 500,
  timeout_error: 504,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  authentication_error: 401,
  permission_error: 403,
  invalid_request_error: 400,
  not_found_error: 404,
  request_too_large: 413,
}

/**
 * Maps a failed call to the codes of the contract. An exhausted quota isn't retryable, although services report it as
 * 429; an unknown error inside a stream is, since the service had accepted the request.
 */
export function toModelFailure(facts: FailureDetails): ModelFailure {
  const status = facts.status ?? statusOfKind[facts.kind ?? ''] ?? toStatus(facts.kind)
  return { ...classify(facts, status), ...(status === undefined ? {} : { status }) }
}

function classify(facts: FailureDetails, status: number | undefined): ModelFailure {
  const message = facts.message.trim() || 'The service gave no reason.'
  const wait = facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }
  if (status === undefined) return { code: 'invalid_response', message, retryable: true, ...wait }
  if (facts.toolsOffered && status < 500 && toolsRefusedPatterns.some((pattern) => pattern.test(message))) {
    return { code: 'tools_unsupported', message, retryable: false }
  }
  if (status === 401 || status === 403 || /api[ _]key not valid|api_key_invalid/i.test(message)) {
    return { code: 'unauthorized', message, retryable: false }
  }
  if (status === 429) {
    const spent = facts.kind === 'insufficient_quota' || /insufficient_quota|credit balance/i.test(message)
    return { code: 'rate_limited', message, retryable: !spent, ...wait }
  }
  if (status >= 500 || status === 408 || status === 409)
    return { code: 'overloaded', message, retryable: true, ...wait }
  return { code: 'invalid_request', message, retryable: false }
}

// Relays put the status of the service behind them into the error code.
function toStatus(kind: string | undefined): number | undefined {
  const status = Number(kind)
  return status >= 400 && status < 600 ? status : undefined
}

/** A failure of the connection itself: refused, reset, or an invalid response. Retryable. */
export function toConnectionFailure(error: unknown): ModelFailure {
  const parts: string[] = []
  let errno: string | undefined
  // SDKs say "Connection error." and keep the details (ECONNREFUSED and the address) in the causes.
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause) {
    if (cause.message && !parts.includes(cause.message)) parts.push(cause.message)
    if ('code' in cause && typeof cause.code === 'string') errno = cause.code
  }
  const message = parts.join(': ') || String(error)
  // A chunk that can't be parsed is an error of the service, not of the network.
  if (error instanceof SyntaxError || /JSON|parsing stream chunk/i.test(message)) {
    return { code: 'invalid_response', message: `The answer could not be read: ${message}`, retryable: true }
  }
  return { code: 'network', message, retryable: true, ...(errno === undefined ? {} : { errno }) }
}
