import * as Y from 'yjs'
import { encodeStructs, inCausalOrder } from '../store/causal-order.ts'
import { decodeUpdate } from '../store/decode-update.ts'

/**
 * Of an update, what was inserted under the client ids that are its sender's own, as far as that builds on nothing else but what `doc` has; without
 * deletions, which don't say whose they are. `undefined` if nothing is left. Who has seen something that a server has lost, in a power cut, brings it
 * along and may not; two who had seen each other's words would wait for each other for ever.
 */
export function ownPart(update: Uint8Array, doc: Y.Doc, isOwn: (client: number) => boolean): Uint8Array | undefined {
  const own = decodeUpdate(update).structs.filter(({ id }) => isOwn(id.client))
  const taken = [...inCausalOrder(own, (client) => Y.getState(doc.store, client))]
  return taken.length > 0 ? encodeStructs(taken) : undefined
}
