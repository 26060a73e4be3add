import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** A connection that was refused because it would have gone to this machine or into its network. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** Whether an IP address is one of the public internet: neither loopback, private, link-local nor any other special range. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/**
 * Connections for addresses that others have named: each is checked when it is made, names by what they resolve to then, so that
 * neither a redirect nor a name that changes its answer leads inside.
 */
export function createGuardedAgent(isAllowed: (address: string) => boolean, timeoutMs: number): Agent {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const forbidden = addresses?.find(({ address }) => !isAllowed(address))
      const [first] = addresses ?? []
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '', 4)
      if (forbidden) return callback(new ForbiddenAddressError(hostname), '', 4)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
  const connector = buildConnector({ timeout: timeoutMs, lookup: guardedLookup })
  return new Agent({
    connect(options, callback) {
      // No name is looked up for an address that stands in the URL itself.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (ipaddr.isValid(host) && !isAllowed(host)) return callback(new ForbiddenAddressError(host), null)
      connector(options, callback)
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
}
