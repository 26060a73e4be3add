import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'

/** The structs and deletions of an update. */
export type DecodedUpdate = ReturnType<typeof Y.decodeUpdate>

/** What a decoded update is made of. */
export type Struct = DecodedUpdate['structs'][number]

/**
 * The structs and deletions of an update, which may come from anybody. Of a client id that has several blocks in it Yjs
 * decodes all of them and applies the last: one would be looked at, and another one applied. Yjs writes no such update.
 * @throws if the bytes are no update, and if a client id has several blocks in it, or an empty one.
 */
export function decodeUpdate(update: Uint8Array): DecodedUpdate {
  const decoded = Y.decodeUpdate(update)
  const blocks = decoding.readVarUint(decoding.createDecoder(update))
  const clients = new Set(decoded.structs.map(({ id }) => id.client))
  if (blocks !== clients.size) throw new RangeError('a client id has several blocks, or an empty one')
  return decoded
}
