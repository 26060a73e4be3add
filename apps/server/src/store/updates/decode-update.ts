import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'

export type DecodedUpdate = ReturnType<typeof Y.decodeUpdate>

/** A struct of a decoded update. */
export type Struct = DecodedUpdate['structs'][number]

/**
 * Decodes the structs and deletions of an untrusted update. If a client id has several blocks, Yjs decodes all of them
 * and applies only the last: the checks could examine one block and Yjs apply another. Yjs itself writes no such
 * update.
 * @throws if the bytes aren't an update, or if a client id has several blocks or an empty one.
 */
export function decodeUpdate(update: Uint8Array): DecodedUpdate {
  const decoded = Y.decodeUpdate(update)
  const blocks = decoding.readVarUint(decoding.createDecoder(update))
  const clients = new Set(decoded.structs.map(({ id }) => id.client))
  if (blocks !== clients.size) throw new RangeError('a client id has several blocks, or an empty one')
  return decoded
}
