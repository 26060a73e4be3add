import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const longest = 64

/** The origin of a socket: the address that limits count, and whether that address distinguishes callers. */
export type SocketOrigin = { address: string; distinguishesCallers: boolean }

type Upgrade = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }

/**
 * The origin of a request: the socket's own address or, behind `trustedProxies` proxies, the client address that the
 * outermost proxy reports. Ignores other entries of `X-Forwarded-For`, which a client can forge. An IPv6 network (/64)
 * counts as one address, because its holder can use all of it.
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
  return { address: networkOf(seen), distinguishesCallers: distinguishesCallers(seen, trustedProxies > 0) }
}

/**
 * Whether an address distinguishes callers. Unless proxies are trusted (`hasProxy`), a loopback address does not: it
 * may be the operator, the agent or an undeclared proxy whose clients are unknown.
 */
export function distinguishesCallers(address: string, hasProxy: boolean): boolean {
  return hasProxy || isIP(address) === 0 || ipaddr.process(address).range() !== 'loopback'
}

/** The address that limits apply to: the address itself, or for IPv6 its network (/64). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, longest)
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
