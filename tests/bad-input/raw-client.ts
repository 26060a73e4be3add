import { WebSocket } from 'ws'
import { until } from '../support/client.ts'
import { authFrame, frameTypes, readServerFrame, readText, type ServerFrame, syncFrame } from './frames.ts'

export type Closed = { code: number; reason: string }

/** A client that sends any bytes, without a provider that would prevent it. */
export type RawClient = {
  readonly socket: WebSocket
  /** What the server sent, oldest first. */
  readonly frames: ServerFrame[]
  /** Set as soon as the socket is closed. */
  closed(): Closed | undefined
  send(data: Uint8Array | string): void
  /** Resolves with `authenticated` or the reason for the refusal. */
  authenticate(name: string, token: string): Promise<string>
  /** Resolves when the server has closed the socket. */
  whenClosed(): Promise<Closed>
  /** Whether the server has refused this document or closed it. */
  isShut(name: string): boolean
  /** Resolves when the server has dealt with everything sent so far: it answers one more sync request, shuts the document, or has closed. */
  settled(name: string): Promise<void>
  /** How many updates were acknowledged. */
  acknowledgements(): number
  end(): void
}

/** Opens a socket to `/collab`; where the server trusts a proxy, from this address. */
export async function openRaw(url: string, query = '', address?: string): Promise<RawClient> {
  const headers = address === undefined ? {} : { 'x-forwarded-for': address }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/collab${query}`, { headers })
  const frames: ServerFrame[] = []
  let closed: Closed | undefined
  socket.on('message', (data: Buffer) => {
    const read = readServerFrame(data)
    if (read) frames.push(read)
  })
  socket.on('close', (code, reason) => (closed = { code, reason: reason.toString() }))
  // A server that closes while much is still being sent resets the connection; what counts is the close above.
  socket.on('error', () => undefined)
  await until(() => socket.readyState !== WebSocket.CONNECTING, 'the socket is open')
  const client: RawClient = {
    socket,
    frames,
    closed: () => closed,
    send: (data) => socket.send(data),
    async authenticate(name, token) {
      const isAnswer = (each: ServerFrame): boolean =>
        each.name === name && each.type === frameTypes.auth && each.subtype > 0
      client.send(authFrame(name, token))
      await until(() => closed !== undefined || frames.some(isAnswer), 'the token is answered')
      const answer = frames.find(isAnswer)
      if (!answer) return `closed with ${closed?.code}: ${closed?.reason}`
      return answer.subtype === 2 ? 'authenticated' : readText(answer.rest)
    },
    async whenClosed() {
      await until(() => closed !== undefined, 'the server closes the socket')
      return closed!
    },
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
      const isSettled = (): boolean => closed !== undefined || answers() > before || client.isShut(name)
      await until(isSettled, 'the server has dealt with the frames')
    },
    acknowledgements: () => frames.filter(({ type }) => type === frameTypes.status).length,
    end: () => socket.terminate(),
  }
  return client
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
