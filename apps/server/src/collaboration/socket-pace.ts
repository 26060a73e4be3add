import type { WebSocket } from 'ws'
import { sleep } from '../sleep.ts'
import type { SocketGroup } from './socket-groups.ts'
import type { SocketCounts } from './socket-limits.ts'
import { TokenBucket } from './token-bucket.ts'

/** Bytes that may always wait for a client to read them. */
export const littleUnread = 1024 * 1024
const lookForReadMs = 50

/** What frames have cost: their number and bytes, bytes that were sent for them, and work in steps of some 50 ns. */
export type FrameCost = { frames?: number; bytes?: number; work?: number }

/** With whom a socket shares what it may use, and who is told when it is read on. */
export type PaceOptions = {
  counts: SocketCounts
  /** Those that it has joined so far, the widest last. */
  groups: ReadonlySet<SocketGroup>
  address: string
  elapsed: () => number
  onRead: () => void
}

/**
 * How fast a socket is read and written. Who sends more than the limits allow, or what costs more, is read more slowly:
 * nothing is lost, and nobody is sent away who would come back at once.
 */
export class SocketPace {
  readonly #socket: WebSocket
  readonly #options: PaceOptions
  readonly #bytes: TokenBucket
  readonly #messages: TokenBucket
  #resume: NodeJS.Timeout | undefined
  /**
   * Why nothing is read at the moment: what was sent is paid for, its turn has to come, a large update is being taken.
   */
  #pauses = 0
  /** Settles when what was sent last of what is large is on its way. */
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

  /** Pays for what was received. */
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

  /** Reads no more until what is returned is called. */
  pauseReading(): () => void {
    this.#pause()
    return () => this.#unpause()
  }

  /** Goes on with what may cost much when its turn comes, with others' in between; meanwhile nothing more is read. */
  inTurn(act: () => void): void {
    let resume: (() => void) | undefined
    const group = this.#widest?.key ?? this.#options.address
    const isTaken = this.#options.counts.turns.take(group, () => {
      resume?.()
      if (this.#isOpen) act()
    })
    if (!isTaken) resume = this.pauseReading()
  }

  /** Sends something large when the client has read what waits; one after the other. */
  whenRead(send: () => Promise<void>): Promise<void> {
    const sending = this.#sending.then(async () => {
      while (this.#socket.bufferedAmount > littleUnread && this.#isOpen) await sleep(lookForReadMs)
      // Each is in memory as a whole, and takes turns of others.
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
    // What the client has sent meanwhile wasn't read.
    this.#options.onRead()
    this.#socket.resume()
  }
}
