import { contentTypes, parseDocumentName, roomTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { encodeUpdate } from '../updates/causal-order.ts'
import { decodeUpdate } from '../updates/decode-update.ts'
import { scanUpdate } from '../updates/scan-update.ts'

const roots = {
  content: new Set<string>(Object.values(contentTypes)),
  room: new Set<string>(Object.values(roomTypes)),
} as const

/**
 * A log's update without its content in unknown root types, which older servers stored; the log itself keeps this
 * content. Yjs needs quadratic time in the number of these types to encode them. Returns invalid bytes unchanged.
 */
export function withoutForeignRoots(name: string, update: Uint8Array): Uint8Array {
  const known = roots[parseDocumentName(name)?.part ?? 'content']
  return hasForeign(update, known) ? collectForeign(update, known) : update
}

function hasForeign(update: Uint8Array, known: ReadonlySet<string>): boolean {
  try {
    return [...scanUpdate(update).roots].some((root) => !known.has(root))
  } catch {
    return false
  }
}

/** Replaces foreign structs by Yjs' garbage-collected structs; Yjs then also collects their children. */
function collectForeign(update: Uint8Array, known: ReadonlySet<string>): Uint8Array {
  try {
    const { structs, ds } = decodeUpdate(update)
    const kept = structs.map((struct) => {
      const isForeign = struct instanceof Y.Item && typeof struct.parent === 'string' && !known.has(struct.parent)
      return isForeign ? new Y.GC(struct.id, struct.length) : struct
    })
    return encodeUpdate(kept, ds)
  } catch {
    return update
  }
}
