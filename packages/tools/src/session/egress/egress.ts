import { createGivenAddresses, type GivenAddresses } from './given-addresses.ts'
import type { DocumentSessionOptions, ToolCallContext } from '../host/session-options.ts'

/** What the calls of a session may send out of the server: any text that it shows may be untrusted. */
export type Egress = {
  /**
   * Whether a call may have the server fetch this address, which can leak what the model has read: the caller has named
   * it, a search has given it, or a person has approved this call.
   */
  mayFetch(address: string, call: ToolCallContext): boolean
  /** Whether a call may send this text to a search service: the host allows it, or a person has approved this call. */
  maySearch(query: string, call: ToolCallContext): boolean
  /** The addresses that searches of the run have given, and those that a person has approved. */
  readonly given: GivenAddresses
}

/** Creates the egress rules of a session, with the addresses that were given in an earlier session of the run. */
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
