import { closeCodes, deniedReasons, documentFull } from '@copydesk/protocol'

/** Why a document can't be worked on any more in this page. */
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
 * What is known about the connection of one document. `opened` becomes true when content and room have been synced for
 * the first time, or when the server is away and this browser has kept the content, and stays so. `kept` is whether
 * changes are kept in this browser, `bringing` whether a large one is being brought to the server by HTTP. `unsynced`
 * counts messages that the server hasn't answered yet; `unsyncedSince` is when the first change was made here that it
 * hasn't put on disk, in milliseconds since 1970, null when there is none.
 */
export type ConnectionState = {
  opened: boolean
  connected: boolean
  synced: boolean
  unsynced: number
  unsyncedSince: number | null
  readOnly: boolean
  kept: boolean
  bringing: boolean
  refusal: Refusal | null
  /** What the server said about it, where that is for people. */
  refusalText: string | null
}

/** The state before anything has happened. */
export const initialConnection: ConnectionState = {
  opened: false,
  connected: false,
  synced: false,
  unsynced: 0,
  unsyncedSince: null,
  readOnly: false,
  kept: false,
  bringing: false,
  refusal: null,
  refusalText: null,
}

/**
 * What the reason of a refused token means for the page; null for one that isn't known: then connecting again is right.
 */
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
 * What the page as a whole shows of a state. It stays equal while one writes and everything gets saved, so that nothing
 * but the saved state renders on a key press.
 */
export function pageState(state: ConnectionState): ConnectionState {
  if (state.refusal !== null) return state
  return { ...initialConnection, opened: state.opened, readOnly: state.readOnly, kept: state.kept }
}

// 1009 is what the WebSocket layer itself says to a frame above its limit; coming back with it again would go on for
// ever.
const messageTooBig = 1009

const noRoom = 'quota_exceeded: '

/** What the server says of a quota that is used up; null if a close frame's reason is about something else. */
export function quotaText(reason: string): string | null {
  return reason.startsWith(noRoom) ? reason.slice(noRoom.length) : null
}

/** What a close code and the reason beside it mean for the page; null when connecting again is right. */
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

/**
 * After how many milliseconds a page that was refused tries again, without anybody's doing; `undefined` if it doesn't.
 */
export function triesAgainAfter(refusal: Refusal | null): number | undefined {
  if (refusal === 'too_many') return 30_000
  if (refusal === 'no_room') return 300_000
  return refusal === 'foreign' ? 10_000 : undefined
}

/** Whether one may go on changing the text after a refusal: where it is full, that is what helps. */
export function staysWritable({ refusal, readOnly }: ConnectionState): boolean {
  return !readOnly && (refusal === null || refusal === 'full')
}

/**
 * Whether the document stays on the page after a refusal, so that nothing that was written here disappears before it
 * could be copied. Who is asked for a name finds it behind the question; a document that is gone isn't shown any more.
 */
export function staysShown({ refusal, opened, unsyncedSince }: ConnectionState): boolean {
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
