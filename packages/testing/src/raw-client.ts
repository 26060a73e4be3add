import { once } from 'node:events'
import { WebSocket } from 'ws'
import {
  authFrame,
  concat,
  frame,
  frameTypes,
  readBytes,
  readServerFrame,
  readText,
  type ServerFrame,
  syncFrame,
  varBytes,
  varString,
  varUint,
} from './frames.ts'
import { until } from './until.ts'

export type Closed = { code: number; reason: string }

/** A client that sends any bytes about any documents, without a provider that would prevent it. */
export type RawClient = {
  readonly socket: WebSocket
  /** The frames of the server, oldest first. */
  readonly frames: ServerFrame[]
  /** The close event, as soon as the socket is closed; undefined before. */
  closed(): Closed | undefined
  send(data: Uint8Array | string): void
  /** Resolves with `authenticated` or the reason for the refusal. */
  authenticate(name: string, token: string): Promise<string>
  /** Resolves when the server has closed the socket. */
  whenClosed(): Promise<Closed>
  /** Whether the server has refused this document or closed it. */
  isShut(name: string): boolean
  /**
   * Resolves when the server has handled all frames sent so far: it answers one more sync request, closes the document,
   * or has closed the socket.
   */
  settled(name: string): Promise<void>
  /** The number of acknowledged updates. */
  acknowledgements(): number
  end(): void
}

type Opened = { socket: WebSocket; closed(): Closed | undefined }

function openSocket(url: string, headers: Record<string, string>, onFrame: (frame: ServerFrame) => void): Opened {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers })
  let closed: Closed | undefined
  socket.on('message', (data: Buffer) => {
    const read = readServerFrame(data)
    if (read) onFrame(read)
  })
  socket.on('close', (code, reason) => (closed = { code, reason: reason.toString() }))
  // A server that closes while data is still being sent resets the connection; only the close event above is relevant.
  socket.on('error', () => undefined)
  return { socket, closed: () => closed }
}

/** Opens a socket to `/collab`; if the server trusts a proxy, from this address. */
export async function openRaw(url: string, query = '', address?: string): Promise<RawClient> {
  const headers: Record<string, string> = address === undefined ? {} : { 'x-forwarded-for': address }
  const frames: ServerFrame[] = []
  const { socket, closed } = openSocket(`${url}/collab${query}`, headers, (each) => frames.push(each))
  await until(() => socket.readyState !== WebSocket.CONNECTING, 'the socket is open')
  const client: RawClient = {
    socket,
    frames,
    closed,
    send: (data) => socket.send(data),
    async authenticate(name, token) {
      const isAnswer = (each: ServerFrame): boolean =>
        each.name === name && each.type === frameTypes.auth && each.subtype > 0
      client.send(authFrame(name, token))
      await until(() => closed() !== undefined || frames.some(isAnswer), 'the token is answered')
      const answer = frames.find(isAnswer)
      if (!answer) return `closed with ${closed()?.code}: ${closed()?.reason}`
      return answer.subtype === 2 ? 'authenticated' : readText(answer.rest)
    },
    whenClosed: () => closing(closed),
    isShut: (name) =>
      frames.some(
        ({ name: of, type, subtype }) =>
          of === name && (type === frameTypes.close || (type === frameTypes.auth && subtype === 1)),
      ),
    async settled(name) {
      const answers = (): number =>
        frames.filter((each) => each.name === name && each.type === frameTypes.sync && each.subtype === 1).length
      const before = answers()
      client.send(syncFrame(name, 0, Uint8Array.of(0)))
      const isSettled = (): boolean => closed() !== undefined || answers() > before || client.isShut(name)
      await until(isSettled, 'the server has dealt with the frames')
    },
    acknowledgements: () => frames.filter(({ type }) => type === frameTypes.status).length,
    end: () => socket.terminate(),
  }
  return client
}

async function closing(closed: () => Closed | undefined): Promise<Closed> {
  await until(() => closed() !== undefined, 'the server has closed the socket')
  return closed() ?? { code: 0, reason: '' }
}

/** Opens a socket and a document on it. */
export async function openRawDocument(
  url: string,
  name: string,
  token: string,
  { query = '', address }: { query?: string; address?: string } = {},
): Promise<RawClient> {
  const client = await openRaw(url, query, address)
  const answer = await client.authenticate(name, token)
  if (answer !== 'authenticated') throw new Error(`refused: ${answer}`)
  return client
}

/** The frames that the server has sent to a raw document client, by kind. */
export type Received = {
  acknowledged: number
  /** SyncStep1 frames, in which the server requests missing updates. */
  asked: number
  updates: Uint8Array[]
  presence: Uint8Array[]
  denied: string[]
  authenticated: number
  stateless: string[]
  closed: Closed | undefined
}

/** A client of one document that sends exactly the frames that a test wants, unlike any provider. */
export type RawDocument = {
  readonly received: Received
  /** Sends a token for the document; resolves when it is accepted or refused, or the socket is closed. */
  authenticate(token: string): Promise<void>
  sendUpdate(update: Uint8Array): void
  /** Sends a SyncStep2, the answer to the server's SyncStep1. */
  sendFullSync(update: Uint8Array): void
  sendPresence(update: Uint8Array): void
  sendBytes(bytes: Uint8Array): void
  /** Closes the document and keeps the socket open. */
  leave(): void
  /**
   * Requests the whole document; resolves when `answers` updates have arrived, so that all frames sent before are
   * processed.
   */
  sync(answers?: number): Promise<void>
  /** Resolves when the server has read all frames sent before. */
  roundTrip(): Promise<void>
  acknowledged(count: number): Promise<void>
  closed(): Promise<Closed>
  /** Stops reading from the socket until `resume`; meanwhile not even the server's pings are answered. */
  pause(): void
  resume(): void
  close(): void
}

/** Connects to `/collab` for one document, with these headers of the upgrade request. Rejects if that is refused. */
export async function connectRaw(
  url: string,
  name: string,
  path = '/collab',
  headers: Record<string, string> = {},
): Promise<RawDocument> {
  const counts = { acknowledged: 0, asked: 0, authenticated: 0 }
  const received: Received = { ...counts, updates: [], presence: [], denied: [], stateless: [], closed: undefined }
  const { socket, closed } = openSocket(url + path, headers, (each) => note(each, received))
  socket.on('close', () => (received.closed = closed()))
  await once(socket, 'open')
  return {
    received,
    async authenticate(token) {
      const answers = received.authenticated + received.denied.length
      socket.send(frame(name, frameTypes.auth, concat(varUint(0), varString(token))))
      const isAnswered = () => received.authenticated + received.denied.length > answers
      await until(() => isAnswered() || closed() !== undefined, 'the token is answered')
    },
    sendUpdate: (update) => socket.send(syncFrame(name, 2, update)),
    sendFullSync: (update) => socket.send(syncFrame(name, 1, update)),
    sendPresence: (update) => socket.send(frame(name, frameTypes.awareness, varBytes(update))),
    sendBytes: (bytes) => socket.send(bytes),
    leave: () => socket.send(frame(name, frameTypes.close, varString('left'))),
    async sync(answers = 1) {
      const before = received.updates.length
      socket.send(syncFrame(name, 0, Uint8Array.of(0)))
      await until(() => received.updates.length >= before + answers, 'the question is answered')
    },
    async roundTrip() {
      socket.ping()
      await once(socket, 'pong')
    },
    acknowledged: (count) => until(() => received.acknowledged >= count, `${count} frames are acknowledged`),
    closed: () => closing(closed),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  }
}

// If a frame has no subtype, the number after its type is the length of the following bytes.
function note({ type, subtype, rest }: ServerFrame, received: Received): void {
  switch (type) {
    case frameTypes.sync:
    case frameTypes.syncReply:
      if (subtype === 0) received.asked++
      else received.updates.push(readBytes(rest))
      return
    case frameTypes.awareness:
      received.presence.push(rest.slice(0, subtype))
      return
    case frameTypes.auth:
      if (subtype === 2) received.authenticated++
      else received.denied.push(readText(rest))
      return
    case frameTypes.stateless:
      received.stateless.push(Buffer.from(rest.subarray(0, subtype)).toString())
      return
    case frameTypes.status:
      received.acknowledged += subtype
      return
    default:
  }
}
