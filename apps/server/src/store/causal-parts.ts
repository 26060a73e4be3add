import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { encodeStructs, inCausalOrder } from './causal-order.ts'
import { decodeUpdate, type Struct } from './decode-update.ts'

/**
 * An update in parts of about so many bytes, each of which builds only on those before it and on what the whole builds on; what is deleted stands in
 * the last. Applied one after the other they give what the whole does. One that has gaps is its own only part.
 * @throws like `decodeUpdate`.
 */
export function causalParts(update: Uint8Array, bytes: number): Uint8Array[] {
  const { structs, ds } = decodeUpdate(update)
  const starts = new Map<number, number>()
  for (const { id } of structs) if (!starts.has(id.client)) starts.set(id.client, id.clock)
  const parts: Uint8Array[] = []
  const reached = new Map<number, number>()
  let count = 0
  let part: Struct[] = []
  let scale = new Y.UpdateEncoderV1()
  const finish = (): void => {
    if (part.length > 0) parts.push(encodeStructs(part))
    part = []
    scale = new Y.UpdateEncoderV1()
  }
  for (const struct of inCausalOrder(structs, (client) => starts.get(client) ?? Infinity)) {
    const { client, clock } = struct.id
    // What overlaps is taken by Yjs as far as it is new, in an order of its own.
    if (clock !== (reached.get(client) ?? clock)) return [update]
    part.push(struct)
    count += 1
    reached.set(client, clock + struct.length)
    struct.write(scale, 0)
    if (encoding.length(scale.restEncoder) >= bytes) finish()
  }
  if (count < structs.length) return [update]
  finish()
  if (ds.clients.size > 0) parts.push(Y.diffUpdate(update, Y.encodeStateVector(reached)))
  return parts
}
