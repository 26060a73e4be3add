import type { Selection } from '@copydesk/protocol'
import * as Y from 'yjs'

/** A selection as two Yjs relative positions; `undefined` if it holds something else. */
export function decodeSelection(
  selection: Selection,
): { anchor: Y.RelativePosition; head: Y.RelativePosition } | undefined {
  try {
    const decode = (position: string): Y.RelativePosition => Y.decodeRelativePosition(Buffer.from(position, 'base64'))
    return { anchor: decode(selection.anchor), head: decode(selection.head) }
  } catch {
    return undefined
  }
}
