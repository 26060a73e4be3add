import type { FastifyRequest } from 'fastify'
import { Attempts } from '../auth/attempts.ts'
import type { Caller } from '../auth/callers.ts'
import { networkOf, type SocketOrigin, tellsCallers } from '../collaboration/socket-address.ts'
import { RateLimited } from '../errors.ts'

/**
 * How many requests a minute there are for an address, for a person, for all guests at one address and for all guests
 * by one link; and how many guests may come in within ten minutes, from one address and by one link.
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
// A page that is opened asks about twenty times, an office behind one address has some dozens of them. A link's guests
// may open it three hundred at once: whoever has an account is not theirs to keep out.
const enough: RequestTimes = {
  address: 3000,
  person: 1200,
  guestsAtAddress: 1500,
  guestsByLink: 6000,
  arrivalsAtAddress: 200,
  arrivalsByLink: 600,
}

type PersonCalling = Extract<Caller, { kind: 'person' }>

/**
 * How much of the server one address, one person and one share link have. All throw RateLimited when that was too much.
 */
export type RequestLimits = {
  /** What address a request counts for. */
  originOf(request: FastifyRequest): SocketOrigin
  countAddress(request: FastifyRequest): void
  countCaller(request: FastifyRequest, caller: PersonCalling): void
  /** Somebody without a session comes in by a link, which leaves something in the store each time. */
  countArrival(request: FastifyRequest, link: string): void
}

/**
 * Counts requests by address and by person, in windows of a minute. What comes from this machine itself isn't counted
 * unless proxies are trusted (`hasProxy`): it is the operator's own, or a proxy of whose clients nothing is known.
 * Guests cost nothing to become, so all at an address count together, and all who came by a link, wherever they are:
 * what a link that has become public can take has an end.
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
      if (wait > 0) throw new RateLimited('That were too many requests.', wait)
    }
  }
  const address = counter('address')
  const person = counter('person')
  const guestsAtAddress = counter('guestsAtAddress')
  const guestsByLink = counter('guestsByLink')
  const arrivalsAtAddress = counter('arrivalsAtAddress', 10 * minute)
  const arrivalsByLink = counter('arrivalsByLink', 10 * minute)
  // Who is calling is asked before a body is read and again when it has come.
  const counted = new WeakSet<FastifyRequest>()
  const isCounted = ({ ip }: FastifyRequest): boolean => tellsCallers(ip, hasProxy)
  return {
    originOf: (request) => ({ address: networkOf(request.ip), tellsCallers: isCounted(request) }),
    countAddress(request) {
      if (isCounted(request)) address(networkOf(request.ip))
    },
    countCaller(request, { user, guest, link }) {
      if (counted.has(request)) return
      counted.add(request)
      if (isCounted(request)) person(user.id)
      if (!guest) return
      // The address first: one that asks too much takes nothing of what the link's other guests have.
      if (isCounted(request)) guestsAtAddress(networkOf(request.ip))
      if (link !== undefined) guestsByLink(link)
    },
    countArrival(request, link) {
      if (isCounted(request)) arrivalsAtAddress(networkOf(request.ip))
      arrivalsByLink(link)
    },
  }
}
