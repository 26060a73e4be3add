import { setImmediate as nextLoop } from 'node:timers/promises'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { applyUpdates } from './verbatim-doc.ts'

/** How much of a document is read or written in one slice of a few milliseconds, before other work runs. */
export const sliceSizes = { bytes: 64 * 1024, updates: 1000 } as const

// Room for 2^28 structs of a client id.
const countBytes = 4

let line: Promise<unknown> = Promise.resolve()

/**
 * Yields to the event loop. All callers share one queue; one of them continues per iteration of the event loop.
 * @throws an `AbortError` when `signal` is aborted.
 */
export async function nextSlice(signal?: AbortSignal): Promise<void> {
  const turn = line.then(() => nextLoop())
  line = turn
  await turn
  signal?.throwIfAborted()
}

/**
 * Applies updates in slices: 2 MB at once would block the event loop for 50 ms. Returns false if it stopped at an
 * update with missing dependencies, which Yjs would examine again with each further update.
 * @throws like `applyUpdates`.
 */
export async function applyInSlices(doc: Y.Doc, turns: readonly (readonly Uint8Array[])[]): Promise<boolean> {
  for (const [index, updates] of turns.entries()) {
    if (index > 0) await nextSlice()
    applyUpdates(doc, updates)
    if (hasPendingStructs(doc)) return false
  }
  return true
}

/**
 * `Y.encodeStateAsUpdate`, which takes 20 ms for 2 MB, in slices. Updates applied meanwhile may or may not be included,
 * so the recipient must also receive them as broadcasts.
 * @throws an `AbortError` when `signal` is aborted.
 */
export async function encodeInSlices(doc: Y.Doc, stateVector: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
  const { clients } = doc.store
  const known = Y.decodeStateVector(stateVector)
  const missing = [...clients.keys()]
    .map((client) => ({ client, from: known.get(client) ?? 0, to: Y.getState(doc.store, client) }))
    .filter(({ from, to }) => from < to)
    // As in Yjs: with higher ids first, conflicts are cheaper.
    .toSorted((a, b) => b.client - a.client)
  const encoder = new Y.UpdateEncoderV1()
  const { restEncoder } = encoder
  let sliceEnd = sliceSizes.bytes
  const isSliceFull = (): boolean => encoding.length(restEncoder) >= sliceEnd
  encoding.writeVarUint(restEncoder, missing.length)
  for (const { client, from, to } of missing) {
    const countAt = encoding.length(restEncoder)
    encoding.writeUint8Array(restEncoder, new Uint8Array(countBytes))
    encoder.writeClient(client)
    encoding.writeVarUint(restEncoder, from)
    let count = 0
    for (let clock = from; clock < to;) {
      if (isSliceFull()) {
        await nextSlice(signal)
        sliceEnd = encoding.length(restEncoder) + sliceSizes.bytes
      }
      // Between slices structs are split, merged and replaced, but the content at a clock stays the same.
      const structs = clients.get(client) ?? []
      for (let index = Y.findIndexSS(structs, clock); clock < to && !isSliceFull(); index++) {
        const struct = structs[index]
        if (!struct) throw new RangeError(`no struct ${client}:${clock}`)
        struct.write(encoder, clock - struct.id.clock)
        clock = struct.id.clock + struct.length
        count += 1
      }
    }
    setCount(restEncoder, countAt, count)
  }
  // The update of Yjs also contains pending structs and deletions, which change the format after the structs.
  if (hasPendingStructs(doc)) return Y.encodeStateAsUpdate(doc, stateVector)
  // Appends the deletions: the update for a peer that has all structs contains only these.
  encoding.writeUint8Array(restEncoder, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc)).subarray(1))
  return encoder.toUint8Array()
}

function hasPendingStructs({ store }: Y.Doc): boolean {
  return store.pendingStructs !== null || store.pendingDs !== null
}

/** Writes a number into the reserved bytes, as a variable-length integer of that length. */
function setCount(encoder: encoding.Encoder, at: number, count: number): void {
  for (let index = 0; index < countBytes; index++) {
    const isLast = index === countBytes - 1
    encoding.set(encoder, at + index, ((count >>> (7 * index)) & 127) | (isLast ? 0 : 128))
  }
}
