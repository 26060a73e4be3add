import { setImmediate as nextTurn } from 'node:timers/promises'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { applyUpdates } from './apply-updates.ts'

/** So much of a document is read or written in a few milliseconds; then others have their turn. */
export const turnSizes = { bytes: 64 * 1024, updates: 1000 } as const

// Of a struct besides its letters.
const structBytes = 16

/** Applies updates, a turn at a time: 2 MB at once would hold everybody up for 50 ms. @throws like `applyUpdates`. */
export async function applyInTurns(
  doc: Y.Doc,
  turns: readonly (readonly Uint8Array[])[],
  origin?: unknown,
): Promise<void> {
  for (const [index, updates] of turns.entries()) {
    if (index > 0) await nextTurn()
    applyUpdates(doc, updates, origin)
  }
}

/**
 * `Y.encodeStateAsUpdate`, which takes 20 ms for 2 MB, in turns. What is written meanwhile may be in it or not; who gets it must be
 * among those who are told.
 */
export async function encodeInTurns(doc: Y.Doc, stateVector: Uint8Array): Promise<Uint8Array> {
  const { clients, pendingDs, pendingStructs } = doc.store
  if (pendingDs || pendingStructs) return Y.encodeStateAsUpdate(doc, stateVector)
  const known = Y.decodeStateVector(stateVector)
  const lacking = [...clients.keys()]
    .map((client) => ({ client, from: known.get(client) ?? 0, to: Y.getState(doc.store, client) }))
    .filter(({ from, to }) => from < to)
    // As Yjs does: higher ids first make conflicts cheaper.
    .toSorted((a, b) => b.client - a.client)
  const parts = [encodeHead((encoder) => encoding.writeVarUint(encoder.restEncoder, lacking.length))]
  for (const { client, from, to } of lacking) {
    const encoder = new Y.UpdateEncoderV1()
    let [count, clock, size] = [0, from, 0]
    while (clock < to) {
      // Between turns structs are split, merged and replaced, but what is under a clock stays under it.
      const structs = clients.get(client) ?? []
      for (let index = Y.findIndexSS(structs, clock); clock < to && size < turnSizes.bytes; index++) {
        const struct = structs[index]
        if (!struct) throw new RangeError(`no struct ${client}:${clock}`)
        struct.write(encoder, clock - struct.id.clock)
        clock = struct.id.clock + struct.length
        size += structBytes + struct.length
        count += 1
      }
      if (size < turnSizes.bytes) continue
      await nextTurn()
      size = 0
    }
    parts.push(
      encodeHead((head) => {
        encoding.writeVarUint(head.restEncoder, count)
        head.writeClient(client)
        encoding.writeVarUint(head.restEncoder, from)
      }),
      encoder.toUint8Array(),
    )
  }
  // Deletions stand behind the structs, of which somebody who has all lacks none.
  parts.push(Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc)).subarray(1))
  return Buffer.concat(parts)
}

function encodeHead(write: (encoder: Y.UpdateEncoderV1) => void): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  write(encoder)
  return encoder.toUint8Array()
}
