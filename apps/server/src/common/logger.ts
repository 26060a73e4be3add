import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * The logged part of a request: its route pattern, since parameters and query may hold tokens, keys, codes and search
 * terms.
 */
type LoggedRequest = { method: string; ip?: string; routeOptions?: { url?: string | undefined } }

/**
 * Creates the log of this process: JSON lines on standard output, or to `destination`. For requests it logs the route,
 * never the URL; for errors the type, message, code, stack and cause. Text that looks like a secret or an e-mail
 * address is removed.
 */
export function createLogger(
  level: string,
  name?: string,
  destination: DestinationStream = pino.destination({ sync: true }),
): Logger {
  const options = {
    level,
    ...(name === undefined ? {} : { name }),
    serializers: { req: describeRequest, err: describeError },
    // At level `trace` the form parser logs the headers it was called with.
    redact: { paths: ['busboyOptions', 'headers', '*.headers'], remove: true },
  }
  return pino(options, { write: (line) => destination.write(withoutSecrets(line)) })
}

function describeRequest({ method, ip, routeOptions }: LoggedRequest): Record<string, unknown> {
  return { method, route: routeOptions?.url ?? 'none', remoteAddress: ip }
}

// Errors of libraries may have extra properties with sensitive data, such as the claims of a token.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { type: name, message, stack, ...code, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}

const secrets: readonly (readonly [RegExp, string])[] = [
  [/(\/s|\/links)\/[\w.~%-]+/g, '$1/…'],
  [/\?[\w.~%-]+=[^\s"\\)]*/g, '?…'],
  [/\bcdk_[\w-]+/g, 'cdk_…'],
  [/\bBearer [^\s"\\]+/gi, 'Bearer …'],
  [/[\w.+%-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, '…@…'],
]

function withoutSecrets(line: string): string {
  return secrets.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line)
}
