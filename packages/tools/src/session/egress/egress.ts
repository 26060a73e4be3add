import { z } from 'zod'
import type { DocumentSessionOptions, ToolCallContext } from '../host/session-options.ts'
import { readAddress } from './named-addresses.ts'

/**
 * Decides which data the calls of a session may send out of the server. A prompt injection in text that the session
 * has read could make the model send data to its author.
 */
export type Egress = {
  /**
   * Whether a call may make the server fetch this address, which can leak text that the model has read: the caller has
   * written the address, a search has returned it, or a person has approved this call.
   */
  mayFetch(address: string, call: ToolCallContext): boolean
  /** Whether a call may send this text to a search service: the host allows it, or a person has approved this call. */
  maySearch(query: string, call: ToolCallContext): boolean
  /** The addresses that searches of the run have returned, and those that a person has approved. */
  readonly given: GivenAddresses
}

/** Creates the egress rules of a session, with the addresses from an earlier session of the run. */
export function createEgress({ isNamed, maySearch, coordinates }: DocumentSessionOptions): Egress {
  const given = createGivenAddresses(coordinates)
  return {
    mayFetch: (address, { approved, mustAsk }) =>
      approved === true || (mustAsk !== true && (given.has(address) || (isNamed?.(address) ?? true))),
    maySearch: (query, { approved, mustAsk }) =>
      approved === true || (mustAsk !== true && (maySearch?.(query) ?? true)),
    given,
  }
}

// Far more than the rounds of a run can request.
const mostAddresses = 500

/** Each address with its credit, which is empty without one. */
const StoredAddresses = z.object({ addresses: z.array(z.tuple([z.string(), z.string()])) })

/**
 * The addresses that a search service of the host has returned to the run, or that a person has approved. Unlike an
 * address that the model has composed, they can't leak text that it has read.
 */
type GivenAddresses = {
  add(address: string, credit?: string): void
  has(address: string): boolean
  /** The credit to show with the image at this address. */
  credit(address: string): string | undefined
  toJSON(): z.infer<typeof StoredAddresses>
}

/** Creates the addresses of a run from the `toJSON` of an earlier session; unreadable data counts as none. */
function createGivenAddresses(stored: unknown): GivenAddresses {
  const parsed = StoredAddresses.safeParse(stored)
  const given = new Map(parsed.success ? parsed.data.addresses : [])
  const find = (address: string): string | undefined => given.get(readAddress(address) ?? '')
  return {
    add(address, credit = '') {
      const read = readAddress(address)
      if (read === undefined) return
      given.set(read, credit || (given.get(read) ?? ''))
      for (const [oldest] of given) {
        if (given.size <= mostAddresses) break
        given.delete(oldest)
      }
    },
    has: (address) => find(address) !== undefined,
    credit: (address) => find(address) || undefined,
    toJSON: () => ({ addresses: [...given] }),
  }
}
