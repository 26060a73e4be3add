import * as dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher, fetch } from 'undici'

/** Limits of a fetch: the accepted content types, the size of the body in bytes, the time in milliseconds. */
export type FetchLimits = { accept: string; limit: number; timeoutMs: number }

/**
 * The outcome of a fetch: the body with its final address, or the reason of the failure. `inside`: the address, or one
 * that it redirects to, isn't on the public internet. `address`: it, or one that it redirects to, isn't a web address,
 * or it redirects too often.
 */
export type Fetched =
  | { ok: true; bytes: Uint8Array; type: string; url: string }
  | { ok: false; reason: 'inside' | 'address' | 'too-large' | 'slow' | 'unreachable' }
  | { ok: false; reason: 'status'; status: number }

/** Fetches an untrusted address. Never rejects unless `signal` is aborted. */
export type GuardedFetch = (address: string, limits: FetchLimits, signal?: AbortSignal) => Promise<Fetched>

/** Hosts that may be fetched although they aren't public, as host names (as in URLs) or IP addresses. */
export type GuardOptions = {
  allowedHosts?: readonly string[]
  /** Whether the server may connect to an IP address; by default to all of the public internet. */
  isAllowed?: (address: string) => boolean
  /** Resolves a host name; by default with the resolver of the operating system. */
  lookup?: typeof dns.lookup
}

const redirects = 5

/**
 * Creates a fetch for untrusted addresses. The IP address of each connection is checked after the only DNS lookup, so
 * that neither a redirect nor DNS rebinding reaches the internal network. Sends no cookies and no credentials.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  let agent: Dispatcher | undefined
  return async (address, limits, signal) => {
    agent ??= createGuardedAgent(options)
    const timeout = AbortSignal.timeout(limits.timeoutMs)
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      return await follow(address, limits, agent, either)
    } catch (error) {
      signal?.throwIfAborted()
      if (isForbidden(error)) return { ok: false, reason: 'inside' }
      return { ok: false, reason: timeout.aborted ? 'slow' : 'unreachable' }
    }
  }
}

/** Whether an IP address is on the public internet: not loopback, private, link-local or another special range. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

async function follow(
  address: string,
  { accept, limit }: FetchLimits,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Fetched> {
  let url = readAddress(address)
  for (let hop = 0; url && hop <= redirects; hop++) {
    const response = await fetch(url, { dispatcher, redirect: 'manual', signal, headers: { accept } })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel()
      url = readAddress(location, url)
      continue
    }
    if (!response.ok) {
      await response.body?.cancel()
      return { ok: false, reason: 'status', status: response.status }
    }
    const bytes = await readLimited(response.body ?? [], limit)
    if (!bytes) return { ok: false, reason: 'too-large' }
    return { ok: true, bytes, type: response.headers.get('content-type') ?? '', url: url.href }
  }
  return { ok: false, reason: 'address' }
}

/** An HTTP or HTTPS address without credentials, relative to `base`; undefined if it isn't such an address. */
export function readAddress(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** The bytes of a body; `undefined` if there are more than `limit`. Reading stops at the limit. */
export async function readLimited(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.byteLength
    if (length > limit) return undefined
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** Whether a request failed because its connection would have reached this machine or its network. */
export function isForbidden(error: unknown): boolean {
  if (error instanceof ForbiddenAddressError) return true
  return error instanceof Error && isForbidden(error.cause)
}

/** A connection was refused because it would have reached this machine or its network. */
class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** A dispatcher for undici that connects only to the addresses that `options` allow. */
export function createGuardedAgent({
  allowedHosts = [],
  isAllowed = isPublicAddress,
  lookup = dns.lookup,
}: GuardOptions): Agent {
  const isOwn = (hostname: string): boolean => allowedHosts.includes(hostname)
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const forbidden = addresses?.find(({ address }) => !isOwn(hostname) && !isAllowed(address))
      const [first] = addresses ?? []
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '', 4)
      if (forbidden) return callback(new ForbiddenAddressError(hostname), '', 4)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
  const connector = buildConnector({ lookup: guardedLookup })
  return new Agent({
    connect(options, callback) {
      // A literal IP address in the URL causes no lookup, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (ipaddr.isValid(host) && !isOwn(host) && !isAllowed(host)) {
        return callback(new ForbiddenAddressError(host), null)
      }
      connector(options, callback)
    },
  })
}
