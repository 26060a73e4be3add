import { documentFull, FRAME_LIMIT } from '@copydesk/protocol'
import * as decoding from 'lib0/decoding'
import { ApiError, send } from '../api/client.ts'
import type { Refusal } from './connection-state.ts'

/** The outcome of sending an update by HTTP: it is on the server's disk, a retry may help, or the server refuses it. */
export type Arrival = 'arrived' | 'later' | Refusal

/** Maps a failed request to the outcome for its update. */
export function arrivalOfFailure(error: unknown): Arrival {
  if (!(error instanceof ApiError)) return 'later'
  switch (error.code) {
    case 'too_large':
      return error.message.startsWith(documentFull) ? 'full' : 'too_large'
    case 'quota_exceeded':
      return 'no_room'
    case 'unauthenticated':
      return 'unauthenticated'
    case 'not_found':
      return 'not_found'
    case 'forbidden':
      return 'read_only'
    case 'invalid_input':
    case 'unsupported_media_type':
      return 'invalid'
    default:
      return 'later'
  }
}

const firstWaitMs = 1000
const longestWaitMs = 30_000

/** The delay before the `attempt`th retry, from 0, in milliseconds. */
export function retryDelay(attempt: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** attempt)
}

/** Sends updates by HTTP, one at a time, while the socket is suspended. */
export type HttpSync = {
  send(update: Uint8Array): void
  /** All changes are on the server: earlier failures no longer count. */
  settled(): void
  close(): void
}

type HttpSyncDeps = {
  send: (update: Uint8Array, signal: AbortSignal) => Promise<void>
  socket: { connect(): Promise<unknown>; disconnect(): void }
  onUploading: (isUploading: boolean) => void
  refuse: (refusal: Refusal) => void
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

// A proxy may refuse an update again that has already arrived; the bound prevents an endless loop.
const roundsAtMost = 3

/**
 * Creates the HTTP sync of one document. After each success the socket reconnects, so that both sides compare their
 * state vectors.
 */
export function createHttpSync({ send, socket, onUploading, refuse, wait }: HttpSyncDeps): HttpSync {
  const stop = new AbortController()
  let isBusy = false
  let attempt = 0
  let rounds = 0
  const uploadAndReconnect = async (update: Uint8Array): Promise<void> => {
    socket.disconnect()
    onUploading(true)
    const arrival = await send(update, stop.signal).then((): Arrival => 'arrived', arrivalOfFailure)
    if (stop.signal.aborted) return
    onUploading(false)
    if (arrival !== 'arrived' && arrival !== 'later') return refuse(arrival)
    if (arrival === 'later') await wait(retryDelay(attempt++), stop.signal)
    if (!stop.signal.aborted) void socket.connect()
  }
  return {
    send(update) {
      if (isBusy || stop.signal.aborted) return
      rounds += 1
      if (rounds > roundsAtMost && attempt === 0) return refuse('too_large')
      isBusy = true
      void uploadAndReconnect(update).finally(() => (isBusy = false))
    },
    settled() {
      attempt = 0
      rounds = 0
    },
    close: () => stop.abort(),
  }
}

/** Resolves after a time, or immediately when `signal` fires. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Sends a Yjs update that is too large for a WebSocket frame to the server. `clientKey` is the one with which the page
 * opened its socket. Resolves when it is on disk.
 */
export async function sendUpdate(
  document: string,
  update: Uint8Array,
  clientKey: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/documents/${encodeURIComponent(document)}/updates?${new URLSearchParams({ client: clientKey })}`
  await send(path, { method: 'POST', body: update, signal })
}

/** The update in a sync frame: all that the server lacks, or one change. `name` is the document's. */
export type SyncFrame = { name: string; kind: 'full' | 'change'; update: Uint8Array }

// Message types of Hocuspocus and of y-protocols, as far as they contain updates.
const sync = 0
const syncReply = 4
const step2 = 1
const change = 2

/** Reads a frame that contains an update; undefined for any other. */
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
