import * as Y from 'yjs'

/**
 * Whether an update can be integrated into `doc` as a whole: all it builds on is there or in the update itself. Yjs would
 * otherwise keep it aside and apply it under the origin of whoever fills the gap.
 * @throws if the bytes are no update.
 */
export function isComplete(update: Uint8Array, doc: Y.Doc): boolean {
  const { structs, ds } = Y.decodeUpdate(update)
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? Y.getState(doc.store, client)

  for (const struct of structs) {
    if (struct instanceof Y.Skip) continue
    const { client, clock } = struct.id
    const at = known(client)
    if (clock > at) return false
    reached.set(client, Math.max(at, clock + struct.length))
  }
  const isKnown = (id: Y.ID | null): boolean => id === null || id.clock < known(id.client)
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) continue
    const parent = struct.parent instanceof Y.ID ? struct.parent : null
    if (!isKnown(struct.origin) || !isKnown(struct.rightOrigin) || !isKnown(parent)) return false
  }
  for (const [client, ranges] of ds.clients) {
    if (ranges.some(({ clock, len }) => clock + len > known(client))) return false
  }
  return true
}
