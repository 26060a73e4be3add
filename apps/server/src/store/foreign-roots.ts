import { contentTypes, parseDocumentName, roomTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { encodeUpdate } from './causal-order.ts'
import { decodeUpdate } from './decode-update.ts'
import { scanUpdate } from './scan-update.ts'

const roots = {
  content: new Set<string>(Object.values(contentTypes)),
  room: new Set<string>(Object.values(roomTypes)),
} as const

/**
 * An update of a log as it is applied: without what it puts into root types that no document has, which older servers
 * have stored. Yjs takes the square of their number to encode them. The log keeps them. What is no update is answered
 * as it is.
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

/**
 * Puts in the place of foreign structs what Yjs puts in the place of collected ones, with which it collects what they
 * hold.
 */
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
