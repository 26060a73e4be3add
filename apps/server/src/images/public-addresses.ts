import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** A connection that was refused because it would have gone to this machine or into its network. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** Whether an IP address is on the public internet: not loopback, private, link-local or another special range. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/**
 * Creates an HTTP agent for untrusted URLs. It checks the IP address of each connection, after DNS resolution, so that
 * neither a redirect nor DNS rebinding reaches the internal network.
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
      // A literal IP address in the URL causes no lookup, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (ipaddr.isValid(host) && !isAllowed(host)) return callback(new ForbiddenAddressError(host), null)
      connector(options, callback)
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
}
