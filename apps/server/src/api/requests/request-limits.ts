import type { FastifyRequest } from 'fastify'
import { Attempts } from '../../auth/attempts.ts'
import type { PersonCaller } from '../../auth/callers.ts'
import { networkOf, type SocketOrigin, distinguishesCallers } from '../../common/client-address.ts'
import { RateLimited } from '../../common/errors.ts'

/**
 * Requests per minute for a client address, a person, all guests at one address and all guests of one link; and new
 * guests per ten minutes, from one address and by one link.
 */
export type RequestTimes = {
  address: number
  person: number
  guestsAtAddress: number
  guestsByLink: number
  arrivalsAtAddress: number
  arrivalsByLink: number
}

const minute = 60_000
// Opening a page sends about twenty requests, and an office with one address has some dozens of users. Up to three
// hundred guests may open a link at the same time; they must not use up the limits of users with accounts.
const enough: RequestTimes = {
  address: 3000,
  person: 1200,
  guestsAtAddress: 1500,
  guestsByLink: 6000,
  arrivalsAtAddress: 200,
  arrivalsByLink: 600,
}

/** Rate limits for client addresses, people and share links. All counting methods throw RateLimited over the limit. */
export type RequestLimits = {
  /** The origin for which a request counts. */
  originOf(request: FastifyRequest): SocketOrigin
  countAddress(request: FastifyRequest): void
  countCaller(request: FastifyRequest, caller: PersonCaller): void
  /** Counts a new guest who joins by a link; each new guest writes to the store. */
  countArrival(request: FastifyRequest, link: string): void
}

/**
 * Counts requests by address and by person, in windows of a minute. Requests from this machine are not counted unless
 * proxies are trusted (`hasProxy`): they come from the operator, or from a proxy whose clients are unknown. Guest
 * sessions are free to create, so all guests at one address count together, and so do all guests of one link at any
 * address, which limits the load of a published link.
 */
export function createRequestLimits(
  now: () => number,
  hasProxy: boolean,
  times: Partial<RequestTimes> = {},
): RequestLimits {
  const limits = { ...enough, ...times }
  const counter = (name: keyof RequestTimes, withinMs = minute): ((key: string) => void) => {
    const attempts = new Attempts({ times: limits[name], withinMs }, now)
    return (key) => {
      const wait = attempts.take(key)
      if (wait > 0) throw new RateLimited('Too many requests.', wait)
    }
  }
  const address = counter('address')
  const person = counter('person')
  const guestsAtAddress = counter('guestsAtAddress')
  const guestsByLink = counter('guestsByLink')
  const arrivalsAtAddress = counter('arrivalsAtAddress', 10 * minute)
  const arrivalsByLink = counter('arrivalsByLink', 10 * minute)
  // The caller is checked before and after the body is read, but counted once.
  const counted = new WeakSet<FastifyRequest>()
  const isCounted = ({ ip }: FastifyRequest): boolean => distinguishesCallers(ip, hasProxy)
  return {
    originOf: (request) => ({ address: networkOf(request.ip), distinguishesCallers: isCounted(request) }),
    countAddress(request) {
      if (isCounted(request)) address(networkOf(request.ip))
    },
    countCaller(request, { user, guest, link }) {
      if (counted.has(request)) return
      counted.add(request)
      if (isCounted(request)) person(user.id)
      if (!guest) return
      // The address is counted first: a request over its address's limit doesn't count for its link.
      if (isCounted(request)) guestsAtAddress(networkOf(request.ip))
      if (link !== undefined) guestsByLink(link)
    },
    countArrival(request, link) {
      if (isCounted(request)) arrivalsAtAddress(networkOf(request.ip))
      arrivalsByLink(link)
    },
  }
}
