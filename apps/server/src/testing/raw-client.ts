import { once } from 'node:events'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { WebSocket } from 'ws'
import { until } from './until.ts'

/** What the server has sent to a raw client, by kind. */
export type Received = {
  acknowledged: number
  /** SyncStep1 frames, in which the server requests what it lacks. */
  asked: number
  updates: Uint8Array[]
  presence: Uint8Array[]
  denied: string[]
  authenticated: number
  stateless: string[]
  closed: { code: number; reason: string } | undefined
}

/** A client that sends exactly the frames that a test wants, unlike any provider. */
export type RawClient = {
  readonly received: Received
  /** Sends a token for the document; resolves when it is accepted or refused, or the socket is closed. */
  authenticate(token: string): Promise<void>
  sendUpdate(update: Uint8Array): void
  /** Sends a SyncStep2, the answer to the server's SyncStep1. */
  sendFullSync(update: Uint8Array): void
  sendPresence(update: Uint8Array): void
  sendBytes(bytes: Uint8Array): void
  /** Closes the document and keeps the socket. */
  leave(): void
  /**
   * Requests the whole document; resolves when `answers` updates have arrived, so that everything sent before is
   * processed.
   */
  sync(answers?: number): Promise<void>
  /** Resolves when the server has read everything that was sent before. */
  roundTrip(): Promise<void>
  acknowledged(count: number): Promise<void>
  closed(withinMs?: number): Promise<{ code: number; reason: string }>
  /** Stops reading from the socket until `resume`; meanwhile not even the server's pings are answered. */
  pause(): void
  resume(): void
  close(): void
}

/** Connects to `/collab` for one document, with these headers of the upgrade request. */
export async function connectRaw(
  url: string,
  name: string,
  path = '/collab',
  headers: Record<string, string> = {},
): Promise<RawClient> {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
  const received: Received = { ...counted(), updates: [], presence: [], denied: [], stateless: [], closed: undefined }
  socket.on('message', (data: Buffer) => note(new Uint8Array(data), received))
  socket.on('close', (code, reason) => (received.closed = { code, reason: reason.toString() }))
  await once(socket, 'open')
  // A connection that the server terminates may end with a reset; only the close matters.
  socket.on('error', () => undefined)
  const send = (type: number, write: (encoder: encoding.Encoder) => void): void => {
    const encoder = encoding.createEncoder()
    encoding.writeVarString(encoder, name)
    encoding.writeVarUint(encoder, type)
    write(encoder)
    socket.send(encoding.toUint8Array(encoder))
  }
  const sendSync = (syncType: number, update: Uint8Array): void =>
    send(0, (encoder) => {
      encoding.writeVarUint(encoder, syncType)
      encoding.writeVarUint8Array(encoder, update)
    })
  return {
    received,
    async authenticate(token) {
      const answers = received.authenticated + received.denied.length
      send(2, (encoder) => {
        encoding.writeVarUint(encoder, 0)
        encoding.writeVarString(encoder, token)
      })
      const isAnswered = () => received.authenticated + received.denied.length > answers
      await until(() => isAnswered() || received.closed !== undefined, 'the token is answered')
    },
    sendUpdate: (update) => sendSync(2, update),
    sendFullSync: (update) => sendSync(1, update),
    sendPresence: (update) => send(1, (encoder) => encoding.writeVarUint8Array(encoder, update)),
    sendBytes: (bytes) => socket.send(bytes),
    leave: () => send(7, (encoder) => encoding.writeVarString(encoder, 'left')),
    async sync(answers = 1) {
      const before = received.updates.length
      sendSync(0, Uint8Array.of(0))
      await until(() => received.updates.length >= before + answers, 'the question is answered')
    },
    async roundTrip() {
      socket.ping()
      await once(socket, 'pong')
    },
    acknowledged: (count) => until(() => received.acknowledged >= count, `${count} frames are acknowledged`),
    async closed(withinMs = 15_000) {
      await until(() => received.closed !== undefined, 'the server has closed the socket', withinMs)
      return received.closed ?? { code: 0, reason: '' }
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  }
}

function counted(): Pick<Received, 'acknowledged' | 'asked' | 'authenticated'> {
  return { acknowledged: 0, asked: 0, authenticated: 0 }
}

function note(bytes: Uint8Array, received: Received): void {
  if (bytes.byteLength === 1) return
  const decoder = decoding.createDecoder(bytes)
  decoding.readVarString(decoder)
  switch (decoding.readVarUint(decoder)) {
    case 0:
    case 4: {
      const type = decoding.readVarUint(decoder)
      const payload = decoding.readVarUint8Array(decoder)
      if (type === 0) received.asked++
      else received.updates.push(payload.slice())
      return
    }
    case 1:
      received.presence.push(decoding.readVarUint8Array(decoder).slice())
      return
    case 2:
      if (decoding.readVarUint(decoder) === 2) received.authenticated++
      else received.denied.push(decoding.readVarString(decoder))
      return
    case 5:
      received.stateless.push(decoding.readVarString(decoder))
      return
    case 8:
      received.acknowledged += decoding.readVarUint(decoder)
      return
    default:
  }
}
