import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

const longest = 64

/**
 * The address that a request counts for: the socket's own, or behind so many proxies what the outermost of them has seen. What a client
 * itself writes into `X-Forwarded-For` is never believed. One network of IPv6 (/64) is one address: whoever has one has all of it.
 */
export function addressOf(
  request: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustedProxies: number,
): string {
  const header = request.headers['x-forwarded-for']
  const forwarded = [header ?? []].flat().join(',').split(',')
  const hops = [
    request.socket.remoteAddress ?? '',
    ...forwarded
      .map((hop) => hop.trim())
      .filter(Boolean)
      .toReversed(),
  ]
  return networkOf(hops[Math.min(trustedProxies, hops.length - 1)] ?? '')
}

/** The address that what comes from there counts for: itself, or of IPv6 its network (/64). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, longest)
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
