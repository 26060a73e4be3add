import { closeCodes, deniedReasons } from '@copydesk/protocol'

/** Why a document can't be worked on any more in this page. */
export type Refusal = 'schema_outdated' | 'unauthenticated' | 'not_found' | 'too_large' | 'invalid'

/**
 * What is known about the connection of one document. `opened` becomes true when content and room have been synced for
 * the first time, and stays so. `unsynced` counts changes that the server hasn't put on disk yet.
 */
export type ConnectionState = {
  opened: boolean
  connected: boolean
  synced: boolean
  unsynced: number
  readOnly: boolean
  refusal: Refusal | null
}

/** The state before anything has happened. */
export const initialConnection: ConnectionState = {
  opened: false,
  connected: false,
  synced: false,
  unsynced: 0,
  readOnly: false,
  refusal: null,
}

/** What the reason of a refused token means for the page. */
export function refusalOfReason(reason: string): Refusal {
  switch (reason) {
    case deniedReasons.schemaOutdated:
      return 'schema_outdated'
    case deniedReasons.unauthenticated:
      return 'unauthenticated'
    default:
      return 'not_found'
  }
}

// 1009 is what the WebSocket layer itself says to a frame above its limit; coming back with it again would go on for ever.
const messageTooBig = 1009

/** What a close code means for the page; null when connecting again is right. */
export function refusalOfClose(code: number): Refusal | null {
  switch (code) {
    case closeCodes.unauthenticated:
      return 'unauthenticated'
    case closeCodes.forbidden:
      return 'not_found'
    case closeCodes.tooLarge:
    case messageTooBig:
      return 'too_large'
    case closeCodes.invalidFrame:
    case closeCodes.staleRun:
      return 'invalid'
    default:
      return null
  }
}
