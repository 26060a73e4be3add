import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * A request as far as it is logged: its route, whose parameters and query may hold tokens, keys, codes and what people
 * look for.
 */
type LoggedRequest = { method: string; ip?: string; routeOptions?: { url?: string | undefined } }

/**
 * The log of this process: lines of JSON on standard output, or to `destination`. Of requests it tells the route, never
 * the address that was asked for; of errors what kind they are, what they say and where. What looks like a secret or
 * somebody's address in a message is taken out.
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
    // The form parser tells at `trace` with what headers it was called.
    redact: { paths: ['busboyOptions', 'headers', '*.headers'], remove: true },
  }
  return pino(options, { write: (line) => destination.write(withoutSecrets(line)) })
}

function describeRequest({ method, ip, routeOptions }: LoggedRequest): Record<string, unknown> {
  return { method, route: routeOptions?.url ?? 'none', remoteAddress: ip }
}

// Errors of libraries carry what they were about, such as the claims of a token.
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
