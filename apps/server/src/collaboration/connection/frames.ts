import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'

/** Message types of the Hocuspocus 4 protocol (`MessageType` in `@hocuspocus/server`) that clients send. */
const messageTypes = {
  sync: 0,
  awareness: 1,
  auth: 2,
  queryAwareness: 3,
  syncReply: 4,
  stateless: 5,
  close: 7,
  syncStatus: 8,
  ping: 9,
  pong: 10,
} as const

/** Authentication message types (`AuthMessageType` in `@hocuspocus/common`). */
const authTypes = { token: 0, permissionDenied: 1 } as const

/** Sync message types of y-protocols. */
const syncTypes = { step1: 0, step2: 1, update: 2 } as const

/** A client's frame, decoded far enough to decide how to handle it. `name` is the document's name. */
export type Frame =
  | { kind: 'auth'; name: string }
  | { kind: 'sync-request'; name: string; stateVector: Uint8Array; entries: number }
  | { kind: 'update'; name: string; update: Uint8Array; isFullSync: boolean }
  | { kind: 'awareness'; name: string; update: Uint8Array }
  | { kind: 'close'; name: string }
  | { kind: 'other'; name: string }
  | { kind: 'keep-alive' }

/**
 * Reads a frame.
 * @throws if the bytes aren't a frame of the protocol.
 */
export function readFrame(data: Uint8Array): Frame {
  if (data.byteLength === 1 && (data[0] === messageTypes.ping || data[0] === messageTypes.pong)) {
    return { kind: 'keep-alive' }
  }
  const decoder = decoding.createDecoder(data)
  const name = decoding.readVarString(decoder)
  const type = decoding.readVarUint(decoder)
  switch (type) {
    case messageTypes.auth:
      return readAuth(name, decoder)
    case messageTypes.sync:
    case messageTypes.syncReply:
      return readSync(name, decoder)
    case messageTypes.awareness:
      return { kind: 'awareness', name, update: readBytes(decoder) }
    case messageTypes.close:
      return { kind: 'close', name }
    case messageTypes.queryAwareness:
    case messageTypes.stateless:
      return { kind: 'other', name }
    default:
      throw new RangeError(`unknown message type ${type}`)
  }
}

function readAuth(name: string, decoder: decoding.Decoder): Frame {
  const type = decoding.readVarUint(decoder)
  if (type !== authTypes.token) throw new RangeError(`unknown authentication type ${type}`)
  decoding.readVarString(decoder)
  return { kind: 'auth', name }
}

function readSync(name: string, decoder: decoding.Decoder): Frame {
  const type = decoding.readVarUint(decoder)
  const payload = readBytes(decoder)
  if (decoding.hasContent(decoder)) throw new RangeError('bytes after the end of the frame')
  switch (type) {
    case syncTypes.step1:
      return { kind: 'sync-request', name, stateVector: payload, entries: entriesIn(payload) }
    case syncTypes.step2:
    case syncTypes.update:
      return { kind: 'update', name, update: payload, isFullSync: type === syncTypes.step2 }
    default:
      throw new RangeError(`unknown sync type ${type}`)
  }
}

/** The number of client ids that a state vector claims to have; each entry takes two bytes or more. */
function entriesIn(stateVector: Uint8Array): number {
  const entries = decoding.readVarUint(decoding.createDecoder(stateVector))
  if (entries * 2 > stateVector.byteLength) throw new RangeError('a truncated state vector')
  return entries
}

// lib0 returns a view of the frame. ws may reuse the memory behind it, and the store keeps the bytes, so this copies.
function readBytes(decoder: decoding.Decoder): Uint8Array {
  return decoding.readVarUint8Array(decoder).slice()
}

/** A frame that requests all updates that the server lacks (SyncStep1 with this state vector). */
export function writeSyncRequest(name: string, stateVector: Uint8Array): Uint8Array {
  return writeSync(name, syncTypes.step1, stateVector)
}

/** A frame with all updates that a client lacks (SyncStep2). */
export function writeFullSync(name: string, update: Uint8Array): Uint8Array {
  return writeSync(name, syncTypes.step2, update)
}

function writeSync(name: string, type: number, payload: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, name)
  encoding.writeVarUint(encoder, messageTypes.sync)
  encoding.writeVarUint(encoder, type)
  encoding.writeVarUint(encoder, payload.byteLength)
  // Writing the payload through the encoder would copy 2 MB twice.
  return Buffer.concat([encoding.toUint8Array(encoder), payload])
}

/** A frame that refuses a document, with the reason that the provider reports. */
export function writePermissionDenied(name: string, reason: string): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, name)
  encoding.writeVarUint(encoder, messageTypes.auth)
  encoding.writeVarUint(encoder, authTypes.permissionDenied)
  encoding.writeVarString(encoder, reason)
  return encoding.toUint8Array(encoder)
}

/** A frame that acknowledges one update frame: its content is on disk. */
export function writeAcknowledgement(name: string): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, name)
  encoding.writeVarUint(encoder, messageTypes.syncStatus)
  encoding.writeVarUint(encoder, 1)
  return encoding.toUint8Array(encoder)
}

/** A frame that a provider answers with a pong; it also resets the provider's own timeout. */
export function writePing(): Uint8Array {
  return Uint8Array.of(messageTypes.ping)
}
