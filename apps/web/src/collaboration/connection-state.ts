import { closeCodes, deniedReasons, documentFull } from '@copydesk/protocol'

/** Why a document can't be edited any more in this page. */
export type Refusal =
  | 'schema_outdated'
  | 'unauthenticated'
  | 'not_found'
  | 'revoked'
  | 'too_large'
  | 'no_room'
  | 'full'
  | 'invalid'
  | 'foreign'
  | 'too_many'
  | 'read_only'

/**
 * The state of one document's connection. `opened` becomes true, permanently, when content and room have been synced
 * for the first time, or when the server is unreachable and this browser has a copy of the content. `kept`: whether
 * changes are stored in this browser; `uploading`: whether a large one is being sent to the server by HTTP. `unsynced`
 * counts messages that the server hasn't acknowledged; `unsyncedSince` is the time of the first local change that it
 * hasn't written to disk, in milliseconds since 1970, null when there is none.
 */
export type ConnectionState = {
  opened: boolean
  connected: boolean
  synced: boolean
  unsynced: number
  unsyncedSince: number | null
  readOnly: boolean
  kept: boolean
  uploading: boolean
  refusal: Refusal | null
  /** The server's message about the refusal, if it is meant for users. */
  refusalText: string | null
}

/** The state before any event. */
export const initialConnection: ConnectionState = {
  opened: false,
  connected: false,
  synced: false,
  unsynced: 0,
  unsyncedSince: null,
  readOnly: false,
  kept: false,
  uploading: false,
  refusal: null,
  refusalText: null,
}

/** Maps the reason of a refused token to a refusal; null for an unknown reason: then reconnecting is right. */
export function refusalOfReason(reason: string): Refusal | null {
  switch (reason) {
    case deniedReasons.schemaOutdated:
      return 'schema_outdated'
    case deniedReasons.unauthenticated:
      return 'unauthenticated'
    case deniedReasons.notFound:
    case deniedReasons.invalidName:
      return 'not_found'
    default:
      return null
  }
}

/**
 * The part of a state that the whole page shows. It stays equal while the user's writing is saved, so that a key press
 * renders only the saved state.
 */
export function pageState(state: ConnectionState): ConnectionState {
  if (state.refusal !== null) return state
  return { ...initialConnection, opened: state.opened, readOnly: state.readOnly, kept: state.kept }
}

// 1009 is the WebSocket layer's own response to a frame above its limit; reconnecting would send the same frame again,
// endlessly.
const messageTooBig = 1009

const noRoom = 'quota_exceeded: '

/** The server's message about an exceeded quota; null if a close frame has another reason. */
export function quotaText(reason: string): string | null {
  return reason.startsWith(noRoom) ? reason.slice(noRoom.length) : null
}

/** Maps a close code and its reason to a refusal; null when reconnecting is right. */
export function refusalOfClose(code: number, reason = ''): Refusal | null {
  switch (code) {
    case closeCodes.unauthenticated:
      return 'unauthenticated'
    case closeCodes.forbidden:
      return 'not_found'
    case closeCodes.revoked:
      return 'revoked'
    case closeCodes.tooLarge:
      if (reason.startsWith(documentFull)) return 'full'
      return quotaText(reason) === null ? 'too_large' : 'no_room'
    case messageTooBig:
      return 'too_large'
    case closeCodes.tooMany:
      return 'too_many'
    case closeCodes.invalidFrame:
    case closeCodes.schemaRefused:
    case closeCodes.staleRun:
      return 'invalid'
    case closeCodes.foreignClient:
      return 'foreign'
    default:
      return null
  }
}

/** The milliseconds after which a refused page retries automatically; `undefined` if it doesn't. */
export function triesAgainAfter(refusal: Refusal | null): number | undefined {
  if (refusal === 'too_many') return 30_000
  if (refusal === 'no_room') return 300_000
  return refusal === 'foreign' ? 10_000 : undefined
}

/** Whether the user may continue to edit after a refusal: in a full document, deleting text helps. */
export function staysWritable({ refusal, readOnly }: ConnectionState): boolean {
  return !readOnly && (refusal === null || refusal === 'full')
}

/**
 * Whether the document remains on the page after a refusal, so that unsaved text can still be copied. The name prompt
 * opens over the document; a deleted document isn't shown any more.
 */
export function remainsShown({ refusal, opened, unsyncedSince }: ConnectionState): boolean {
  switch (refusal) {
    case 'schema_outdated':
    case 'revoked':
      return opened && unsyncedSince !== null
    case 'not_found':
      return false
    case 'unauthenticated':
    case 'too_large':
    case 'no_room':
    case 'full':
    case 'invalid':
    case 'foreign':
    case 'too_many':
    case 'read_only':
    case null:
      return true
  }
}
