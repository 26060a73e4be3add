import type { Selection } from '@copydesk/protocol'
import type { LiveSelection } from '@copydesk/tools'
import { RequestError } from '../errors.ts'
import { decodeSelection } from '../runs/selection.ts'

/**
 * The selection in a request's body, if it has one.
 * @throws RequestError `invalid_input` unless it is two Yjs relative positions.
 */
export function readSelection(selection: Selection | undefined): LiveSelection | undefined {
  if (!selection) return undefined
  const decoded = decodeSelection(selection)
  if (decoded) return decoded
  throw new RequestError(
    'invalid_input',
    'selection: not two Yjs relative positions.',
    'Give anchor and head, each the base64 of Y.encodeRelativePosition.',
  )
}
