import * as Y from 'yjs'
import { dependenciesOf, type StructId } from '../store/causal-order.ts'
import { decodeUpdate } from '../store/decode-update.ts'

/** A struct that an update builds on and the document lacks. */
export type MissingId = StructId

/** Whether the document has this struct, integrated and not merely put aside. */
export function hasId(doc: Y.Doc, { client, clock }: MissingId): boolean {
  return clock < Y.getState(doc.store, client)
}

/**
 * What keeps an update from being integrated into `doc` as a whole: the first struct it builds on that is neither there nor
 * in the update itself; `undefined` if nothing does. Yjs would keep such an update aside and apply it under the origin
 * of whoever fills the gap.
 * @throws like `decodeUpdate`.
 */
export function findMissing(update: Uint8Array, doc: Y.Doc): MissingId | undefined {
  const { structs, ds } = decodeUpdate(update)
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? Y.getState(doc.store, client)

  for (const struct of structs) {
    if (struct instanceof Y.Skip) continue
    const { client, clock } = struct.id
    const at = known(client)
    if (clock > at) return { client, clock: clock - 1 }
    reached.set(client, Math.max(at, clock + struct.length))
  }
  for (const struct of structs) {
    for (const { client, clock } of dependenciesOf(struct)) if (clock >= known(client)) return { client, clock }
  }
  for (const [client, ranges] of ds.clients) {
    for (const { clock, len } of ranges) if (clock + len > known(client)) return { client, clock: clock + len - 1 }
  }
  return undefined
}
