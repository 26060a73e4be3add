import { closeCodes } from '@copydesk/protocol'
import * as decoding from 'lib0/decoding'
import { AwarenessLimitError } from './awareness-frames.ts'
import type { CloseSocket, ConnectedDocument } from './connected-document.ts'
import type { Frame } from './frames.ts'

// How many more client ids a state vector may name than the document has: ids of changes that the server has lost, or
// that the client wrote offline.
const ownClients = 1000

/** The socket of a frame; `isSendingSuspended`: its client reads too slowly, so that nothing is sent to it now. */
type FrameSocket = { readonly isSendingSuspended: boolean; readonly close: CloseSocket; detach(name: string): void }

/** Handles a frame for a document that is attached; `bytes` is the whole frame. */
export function handleFrame(
  connected: ConnectedDocument,
  frame: Exclude<Frame, { kind: 'keep-alive' }>,
  bytes: Uint8Array,
  socket: FrameSocket,
): void {
  switch (frame.kind) {
    case 'auth':
      // A provider that reconnects on the same socket sends a close frame first; a second token has no effect.
      return
    case 'update':
      if (!connected.isReadOnly) return connected.receiveUpdate(frame.update, frame.isFullSync)
      break
    case 'awareness':
      return connected.inOrder(() => receiveAwareness(connected, frame.update, socket.close))
    case 'close':
      // Not queued: updates that are being stored still reach the disk, and the next token for this document may
      // already have arrived.
      connected.connection.close({ code: 1000, reason: 'provider_initiated' })
      return socket.detach(frame.name)
    case 'sync-request':
      if (frame.entries > connected.document.clients + ownClients) {
        return socket.close(closeCodes.tooLarge, 'a state vector with more client ids than the document has')
      }
      if (isStateVector(frame.stateVector)) return connected.answer(frame.stateVector)
      return socket.close(closeCodes.invalidFrame, 'a state vector that can’t be read')
    case 'other':
      break
  }
  // The answer would be dropped. The client asks again after reconnecting.
  if (socket.isSendingSuspended) return
  const copy = bytes.slice()
  connected.inOrder(() => connected.connection.handleMessage(copy))
}

function receiveAwareness(connected: ConnectedDocument, update: Uint8Array, close: CloseSocket): void {
  try {
    connected.presence.receive(update)
  } catch (error) {
    const code = error instanceof AwarenessLimitError ? closeCodes.tooLarge : closeCodes.invalidFrame
    close(code, `presence that can't be used: ${error instanceof Error ? error.message : ''}`)
  }
}

/** Whether these bytes are exactly one state vector. */
function isStateVector(bytes: Uint8Array): boolean {
  try {
    const decoder = decoding.createDecoder(bytes)
    for (let left = 2 * decoding.readVarUint(decoder); left > 0; left--) decoding.readVarUint(decoder)
    return !decoding.hasContent(decoder)
  } catch {
    return false
  }
}
