import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'

/** One client's entry in an awareness update; a `null` state means the client has left. */
export type AwarenessEntry = { clientId: number; clock: number; state: Record<string, unknown> | null; bytes: number }

const entryLimit = 1000
// The smallest entry: client id, clock and the length of the state, one byte each.
const smallestEntry = 3

/** An awareness frame or state is larger than docs/protocol.md allows. */
export class AwarenessLimitError extends Error {
  override readonly name = 'AwarenessLimitError'
}

/**
 * Reads an awareness update (y-protocols `encodeAwarenessUpdate`).
 * @throws if it is malformed or has more than 1,000 entries.
 */
export function readAwareness(update: Uint8Array): AwarenessEntry[] {
  const decoder = decoding.createDecoder(update)
  const count = decoding.readVarUint(decoder)
  if (count * smallestEntry > update.byteLength) throw new RangeError('more awareness entries than bytes')
  if (count > entryLimit) throw new AwarenessLimitError(`${count} awareness entries in one frame`)
  return Array.from({ length: count }, () => {
    const clientId = decoding.readVarUint(decoder)
    const clock = decoding.readVarUint(decoder)
    const json = decoding.readVarString(decoder)
    const state: unknown = JSON.parse(json)
    const isRecord = typeof state === 'object' && state !== null && !Array.isArray(state)
    return { clientId, clock, state: isRecord ? { ...state } : null, bytes: Buffer.byteLength(json) }
  })
}

export function writeAwareness(entry: Omit<AwarenessEntry, 'bytes'>): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarUint(encoder, entry.clientId)
  encoding.writeVarUint(encoder, entry.clock)
  encoding.writeVarString(encoder, JSON.stringify(entry.state))
  return encoding.toUint8Array(encoder)
}
