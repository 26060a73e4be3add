import type { Selection } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'

/**
 * Whether a value is a Yjs relative position as JSON that Yjs can resolve in a document's content: it names an item, a
 * type or the content's fragment. Yjs and the editors throw for other values, in every page that receives one.
 */
export function isRelativePosition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { type, tname, item, assoc }: { type?: unknown; tname?: unknown; item?: unknown; assoc?: unknown } = value
  const isSound =
    [type, item].every((id) => isNothing(id) || isId(id)) && (isNothing(tname) || tname === contentTypes.fragment)
  const isSomewhere = [type, tname, item].some((place) => !isNothing(place))
  return isSound && isSomewhere && (isNothing(assoc) || Number.isSafeInteger(assoc))
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}

function isId(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'client' in value && 'clock' in value && isPair(value)
}

function isPair({ client, clock }: { client: unknown; clock: unknown }): boolean {
  return [client, clock].every((number) => Number.isSafeInteger(number) && Number(number) >= 0)
}

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
