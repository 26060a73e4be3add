import type { ToolServerTrouble } from '@copydesk/protocol'
import { isForbidden } from '../../web/guarded-fetch.ts'
import { cleanText } from '../clean-text.ts'

/** A tool server can't be used; `detail` is for operators and may contain text of the tool server. */
export class ToolServerError extends Error {
  override readonly name = 'ToolServerError'
  readonly reason: ToolServerTrouble
  readonly detail: string | undefined
  constructor(reason: ToolServerTrouble, detail?: string, cause?: unknown) {
    super(detail ?? reason, { cause })
    this.reason = reason
    this.detail = detail === undefined || detail === '' ? undefined : cleanText(detail, 300)
  }
}

/** The texts about an unavailable tool server for agents; they contain no text of the tool server. */
export const toolServerErrorTexts: Readonly<Record<ToolServerTrouble, string>> = {
  inside: 'its address is in a private network',
  unreachable: 'it can’t be reached',
  slow: 'it did not answer in time',
  refused: 'it refused the server’s token',
  status: 'it answered with an error',
  protocol: 'it does not speak the protocol',
  ended: 'it ended the connection',
  unset: 'it is not configured any more',
  sealed: 'its token has to be entered again',
}

/** The reason why a connection failed. `errors` is the error output of the server's process. */
export function toToolServerError(error: unknown, errors = ''): ToolServerError {
  const known = findCause(error, (each) => each instanceof ToolServerError)
  if (known instanceof ToolServerError) return known
  if (isForbidden(error)) return new ToolServerError('inside', undefined, error)
  const status = findCause(error, (each) => typeof Reflect.get(each, 'status') === 'number')
  const code = findCause(error, (each) => typeof Reflect.get(each, 'code') === 'string')
  const name = String(code === undefined ? '' : Reflect.get(code, 'code'))
  const message = error instanceof Error ? error.message : String(error)
  const detail = errors.trim() === '' ? message : `${message}\n${errors.trim()}`
  if (status) {
    const number = Number(Reflect.get(status, 'status'))
    const reason = number === 401 || number === 403 ? 'refused' : 'status'
    return new ToolServerError(reason, String(number), error)
  }
  if (name === 'REQUEST_TIMEOUT' || (error instanceof Error && error.name === 'TimeoutError'))
    return new ToolServerError('slow', errors.trim(), error)
  if (endedCodes.has(name)) return new ToolServerError('ended', detail, error)
  if (/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(name)) return new ToolServerError('unreachable', `${name} ${detail}`, error)
  return new ToolServerError('protocol', detail, error)
}

// `ERA_NEGOTIATION_FAILED`: the connection was closed during the negotiation of the version.
const endedCodes: ReadonlySet<string> = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'ERA_NEGOTIATION_FAILED'])

function findCause(error: unknown, fits: (error: Error) => boolean): Error | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 6; each = each.cause, depth++) {
    if (fits(each)) return each
  }
  return undefined
}
