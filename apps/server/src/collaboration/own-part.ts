import * as Y from 'yjs'
import { encodeStructs, inCausalOrder } from '../store/causal-order.ts'
import { decodeUpdate } from '../store/decode-update.ts'

/**
 * The part of an update inserted under the sender's own client ids, as far as it builds only on what `doc` has.
 * Deletions are left out, because they don't tell their author. `undefined` if nothing is left. After a power cut, a
 * client may send changes of other clients that the server has lost, which it has no right to write; without this, two
 * clients that had seen each other's changes would wait for each other forever.
 */
export function ownPart(update: Uint8Array, doc: Y.Doc, isOwn: (client: number) => boolean): Uint8Array | undefined {
  const own = decodeUpdate(update).structs.filter(({ id }) => isOwn(id.client))
  const taken = [...inCausalOrder(own, (client) => Y.getState(doc.store, client))]
  return taken.length > 0 ? encodeStructs(taken) : undefined
}
