import { z } from 'zod'
import { readAddress } from './named-addresses.ts'

// Far more than a run's rounds can ask for.
const mostAddresses = 500

/** Each address with its credit, which is empty without one. */
const StoredAddresses = z.object({ addresses: z.array(z.tuple([z.string(), z.string()])) })

/**
 * The addresses that a run was given by a search service of the host, or that a person has approved. Unlike an address
 * that the model has composed, they can't carry what it has read.
 */
export type GivenAddresses = {
  add(address: string, credit?: string): void
  has(address: string): boolean
  /** Who is to be named with the image at this address. */
  credit(address: string): string | undefined
  toJSON(): z.infer<typeof StoredAddresses>
}

/** Creates the addresses of a run from the `toJSON` of an earlier session; an unreadable one counts as none. */
export function createGivenAddresses(stored: unknown): GivenAddresses {
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
