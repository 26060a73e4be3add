import type { Selection } from '@copydesk/protocol'
import * as Y from 'yjs'
import { isRelativePosition } from '../collaboration/relative-position.ts'

/**
 * A selection as two Yjs relative positions that can be resolved in a document's content; `undefined` if it isn't
 * valid.
 */
export function decodeSelection(
  selection: Selection,
): { anchor: Y.RelativePosition; head: Y.RelativePosition } | undefined {
  try {
    const decode = (position: string): Y.RelativePosition => Y.decodeRelativePosition(Buffer.from(position, 'base64'))
    const [anchor, head] = [decode(selection.anchor), decode(selection.head)]
    // Not every byte sequence that decodes is a valid position.
    return isRelativePosition(anchor) && isRelativePosition(head) ? { anchor, head } : undefined
  } catch {
    return undefined
  }
}
