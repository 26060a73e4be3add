import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../common/errors.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a `Host` header names this server: an IP address, a loopback name, or the host of PUBLIC_URL. Another name
 * may belong to a site that resolves its own name to this server to read a visitor's documents (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  if (host === undefined) return false
  try {
    const { hostname, host: normalized } = new URL(`http://${host}`)
    if (new URL(publicUrl).host === normalized) return true
    const bare = hostname.replace(/^\[|\]$/g, '')
    return isIP(bare) !== 0 || bare === 'localhost' || bare.endsWith('.localhost')
  } catch {
    return false
  }
}

/** Whether an `Origin` header is the server's own. Requests without the header pass: programs send none. */
export function isOwnOrigin(
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean {
  if (origin === undefined || origin === publicUrl) return true
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}

/**
 * Refuses requests whose `Host` is not this server's, and state-changing requests from another site's page. Session
 * cookies ignore ports, so SameSite alone does not separate two programs on one machine.
 */
export function requireOwnOrigin(publicUrl: string) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (/^\/(healthz|readyz)$/.test(request.url)) return
    if (!isOwnHost(request.headers.host, publicUrl)) {
      throw new RequestError(
        'misdirected',
        'This server is not known under this name.',
        'An operator sets PUBLIC_URL to the address that people use.',
      )
    }
    if (!safeMethods.has(request.method) && !isOwnOrigin(request.headers, publicUrl)) {
      throw new RequestError('forbidden', 'Requests from other sites may not change anything.')
    }
  }
}
