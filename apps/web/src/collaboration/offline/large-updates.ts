import { FRAME_LIMIT } from '@copydesk/protocol'
import * as decoding from 'lib0/decoding'

/** The update in a sync frame: all that the server lacks, or one change. `name` is the document's. */
export type SyncFrame = { name: string; kind: 'full' | 'change'; update: Uint8Array }

// Message types of Hocuspocus and of y-protocols, as far as they carry updates.
const sync = 0
const syncReply = 4
const step2 = 1
const change = 2

/** Reads a frame that carries an update; undefined for any other. */
export function readSyncFrame(frame: Uint8Array): SyncFrame | undefined {
  const decoder = decoding.createDecoder(frame)
  const name = decoding.readVarString(decoder)
  const type = decoding.readVarUint(decoder)
  if (type !== sync && type !== syncReply) return undefined
  const step = decoding.readVarUint(decoder)
  if (step !== step2 && step !== change) return undefined
  return { name, kind: step === step2 ? 'full' : 'change', update: decoding.readVarUint8Array(decoder) }
}

type Sender = { send(message: Uint8Array): void }

/**
 * Diverts frames that are so large that the server would close the socket. `onLarge` gets the update of such frames of
 * the document `name`; all others are sent unchanged.
 */
export function divertLargeFrames(
  socket: Sender,
  name: string,
  onLarge: (frame: SyncFrame) => void,
  limit = FRAME_LIMIT,
): void {
  const send = socket.send.bind(socket)
  socket.send = (message) => {
    const large = message.byteLength > limit ? readSyncFrame(message) : undefined
    if (large?.name === name) onLarge(large)
    else send(message)
  }
}
