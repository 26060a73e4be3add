import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Attempts } from '../auth/attempts.ts'
import { RateLimited } from '../errors.ts'

/** How many requests a minute an address and a person have. */
export type RequestTimes = { address: number; person: number }

const withinMs = 60_000
// A page that is opened asks about twenty times, an office behind one address has some dozens of them.
const enough: RequestTimes = { address: 3000, person: 1200 }

/** How much one address and one person may ask of the server. Both throw RateLimited when that was too much. */
export type RequestLimits = {
  countAddress(request: FastifyRequest): void
  countPerson(request: FastifyRequest, id: string): void
}

/**
 * Counts requests by address and by person, in windows of a minute. What comes from this machine itself isn't counted unless proxies are
 * trusted (`hasProxy`): it is the operator's own, or a proxy of whose clients nothing is known.
 */
export function createRequestLimits(
  now: () => number,
  hasProxy: boolean,
  times: Partial<RequestTimes> = {},
): RequestLimits {
  const { address, person } = { ...enough, ...times }
  const byAddress = new Attempts({ times: address, withinMs }, now)
  const byPerson = new Attempts({ times: person, withinMs }, now)
  const count = (attempts: Attempts, { ip }: FastifyRequest, key: string): void => {
    if (!hasProxy && isOwnMachine(ip)) return
    const wait = attempts.take(key)
    if (wait > 0) throw new RateLimited('That were too many requests.', wait)
  }
  return {
    countAddress: (request) => count(byAddress, request, request.ip),
    countPerson: (request, id) => count(byPerson, request, id),
  }
}

function isOwnMachine(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
}
