import type { WebSocket } from 'ws'
import { sleep } from '../sleep.ts'
import type { SocketGroup } from './socket-groups.ts'
import type { SocketCounts } from './socket-limits.ts'
import { TokenBucket } from './token-bucket.ts'

/** Bytes that may always wait for a client to read them. */
export const littleUnread = 1024 * 1024
const lookForReadMs = 50

/** The cost of frames: their number and bytes, bytes sent in reply, and work in steps of some 50 ns. */
export type FrameCost = { frames?: number; bytes?: number; work?: number }

/** The limits that a socket shares with others, and a callback for when reading resumes. */
export type PaceOptions = {
  counts: SocketCounts
  /** The groups joined so far, the widest last. */
  groups: ReadonlySet<SocketGroup>
  address: string
  elapsed: () => number
  onRead: () => void
}

/**
 * Controls how fast a socket is read and written. A client that exceeds the limits is read more slowly: no data is
 * lost, and no client is disconnected that would reconnect immediately.
 */
export class SocketPace {
  readonly #socket: WebSocket
  readonly #options: PaceOptions
  readonly #bytes: TokenBucket
  readonly #messages: TokenBucket
  #resume: NodeJS.Timeout | undefined
  /** The number of reasons why reading is paused: a rate limit, a queued frame, a large update being applied. */
  #pauses = 0
  /** Settles when the last large message has been sent. */
  #sending: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, options: PaceOptions) {
    const { limits } = options.counts
    this.#socket = socket
    this.#options = options
    this.#bytes = new TokenBucket(limits.bytes, options.elapsed)
    this.#messages = new TokenBucket(limits.messages, options.elapsed)
  }

  get isPaused(): boolean {
    return this.#pauses > 0
  }

  /** Charges the cost to the rate limits; pauses reading while they are exceeded. */
  charge({ frames = 0, bytes = 0, work = 0 }: FrameCost): void {
    this.#options.counts.turns.note(work)
    const waits = [this.#messages.take(frames), this.#bytes.take(bytes)]
    for (const group of this.#options.groups) waits.push(group.bytes.take(bytes), group.work.take(work))
    const waitMs = Math.max(...waits)
    if (waitMs === 0) return
    if (this.#resume) clearTimeout(this.#resume)
    else this.#pause()
    this.#resume = setTimeout(() => {
      this.#resume = undefined
      this.#unpause()
    }, waitMs)
  }

  /** Pauses reading until the returned function is called. */
  pauseReading(): () => void {
    this.#pause()
    return () => this.#unpause()
  }

  /** Runs work that may be expensive in turn with other senders, see `FrameTurns`; reading pauses until then. */
  inTurn(act: () => void): void {
    let resume: (() => void) | undefined
    const group = this.#widest?.key ?? this.#options.address
    const isTaken = this.#options.counts.turns.take(group, () => {
      resume?.()
      if (this.#isOpen) act()
    })
    if (!isTaken) resume = this.pauseReading()
  }

  /** Sends large messages one after the other, each when the client has read what waits. */
  whenRead(send: () => Promise<void>): Promise<void> {
    const sending = this.#sending.then(async () => {
      while (this.#socket.bufferedAmount > littleUnread && this.#isOpen) await sleep(lookForReadMs)
      // Each message is in memory as a whole and uses time on the event loop.
      await (this.#widest ? this.#widest.answers.runExclusive(send) : send())
    })
    this.#sending = sending.catch(() => undefined)
    return sending
  }

  stop(): void {
    clearTimeout(this.#resume)
  }

  get #widest(): SocketGroup | undefined {
    return [...this.#options.groups].at(-1)
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  #pause(): void {
    this.#pauses += 1
    this.#socket.pause()
  }

  #unpause(): void {
    this.#pauses -= 1
    if (this.#pauses > 0) return
    // While reading was paused, no sign of the client could arrive.
    this.#options.onRead()
    this.#socket.resume()
  }
}
