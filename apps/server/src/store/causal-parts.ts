import * as Y from 'yjs'
import { encodeStructs, inCausalOrder, type Struct } from './causal-order.ts'

// Of a struct besides its letters.
const structBytes = 16

/**
 * An update in parts of about so many bytes, each of which builds only on those before it and on what the whole builds on; what is deleted stands in
 * the last. Applied one after the other they give what the whole does. One that has gaps is its own only part.
 * @throws if the bytes are no update.
 */
export function causalParts(update: Uint8Array, bytes: number): Uint8Array[] {
  const { structs, ds } = Y.decodeUpdate(update)
  const starts = new Map<number, number>()
  for (const { id } of structs) if (!starts.has(id.client)) starts.set(id.client, id.clock)
  const parts: Uint8Array[] = []
  const reached = new Map<number, number>()
  let [part, size, count]: [Struct[], number, number] = [[], 0, 0]
  const finish = (): void => {
    if (part.length > 0) parts.push(encodeStructs(part))
    part = []
    size = 0
  }
  for (const struct of inCausalOrder(structs, (client) => starts.get(client) ?? Infinity)) {
    part.push(struct)
    count += 1
    size += structBytes + struct.length
    reached.set(struct.id.client, struct.id.clock + struct.length)
    if (size >= bytes) finish()
  }
  if (count < structs.length) return [update]
  finish()
  if (ds.clients.size > 0) parts.push(Y.diffUpdate(update, Y.encodeStateVector(reached)))
  return parts
}
