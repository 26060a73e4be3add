import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const longest = 64

/** Where a socket comes from: the address that it counts for, and whether callers can be told from each other by it. */
export type SocketOrigin = { address: string; tellsCallers: boolean }

type Upgrade = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }

/**
 * Where a request comes from: the socket's own address, or behind so many proxies what the outermost of them has seen. What a client itself
 * writes into `X-Forwarded-For` is never believed. One network of IPv6 (/64) is one address: whoever has one has all of it.
 */
export function originOf({ headers, socket }: Upgrade, trustedProxies: number): SocketOrigin {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const hops = [
    socket.remoteAddress ?? '',
    ...forwarded
      .map((hop) => hop.trim())
      .filter(Boolean)
      .toReversed(),
  ]
  const seen = hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
  return { address: networkOf(seen), tellsCallers: tellsCallers(seen, trustedProxies > 0) }
}

/**
 * Whether callers can be told from each other by this address. One's own machine is the operator's, the agent's, or, unless proxies are
 * trusted (`hasProxy`), a proxy that nobody has declared, of whose clients nothing is known.
 */
export function tellsCallers(address: string, hasProxy: boolean): boolean {
  return hasProxy || isIP(address) === 0 || ipaddr.process(address).range() !== 'loopback'
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
