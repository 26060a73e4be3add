import type { WebSocket } from 'ws'
import { sleep } from '../../common/time.ts'
import type { SocketGroup } from './socket-groups.ts'
import type { SocketCounts } from './socket-limits.ts'
import { TokenBucket } from './token-bucket.ts'

/** The number of bytes that a client may always leave unread. */
export const littleUnread = 1024 * 1024
const pollReadMs = 50
/** Smaller costs are accumulated first, since each rate limit reads the clock. */
const chargedFrom = { frames: 20, bytes: 16 * 1024, work: 10_000 } as const
/** Reading pauses when frames that wait for their turn hold this many bytes, each counted with some overhead. */
const queuedAtMost = 64 * 1024
const frameOverhead = 512

/** The cost of frames: their number and bytes, bytes sent in reply, and work in steps of some 50 ns. */
export type FrameCost = { frames?: number; bytes?: number; work?: number }

/** The limits that a socket shares with others, and a callback for when reading resumes. */
export type PaceOptions = {
  counts: SocketCounts
  /** The groups joined so far, the largest last. */
  groups: ReadonlySet<SocketGroup>
  address: string
  elapsed: () => number
  onRead: () => void
}

/**
 * Controls the rate at which a socket is read and written. A client that exceeds the limits is read more slowly: no
 * data is lost, and clients that would reconnect immediately aren't disconnected.
 */
export class SocketPace {
  readonly #socket: WebSocket
  readonly #options: PaceOptions
  readonly #bytes: TokenBucket
  readonly #messages: TokenBucket
  #resume: NodeJS.Timeout | undefined
  /** The number of reasons for which reading is paused: a rate limit, a queued frame, a large update being applied. */
  #pauses = 0
  #uncharged = { frames: 0, bytes: 0, work: 0 }
  /** Bytes of queued frames. */
  #queued = 0
  #resumeQueued: (() => void) | undefined
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

  /**
   * Charges the cost to the rate limits; pauses reading while they are exceeded. Small costs are charged together,
   * except to a group that is in debt.
   */
  charge({ frames = 0, bytes = 0, work = 0 }: FrameCost): void {
    this.#options.counts.scheduler.note(work)
    const sum = this.#uncharged
    sum.frames += frames
    sum.bytes += bytes
    sum.work += work
    const isSmall = sum.frames < chargedFrom.frames && sum.bytes < chargedFrom.bytes && sum.work < chargedFrom.work
    if (!isSmall || this.#isInDebt()) this.#settle(sum)
  }

  #isInDebt(): boolean {
    for (const { bytes, work } of this.#options.groups) if (bytes.isOverdrawn || work.isOverdrawn) return true
    return false
  }

  #settle(cost: Required<FrameCost>): void {
    this.#uncharged = { frames: 0, bytes: 0, work: 0 }
    const waits = [this.#messages.take(cost.frames), this.#bytes.take(cost.bytes)]
    for (const { bytes, work } of this.#options.groups) waits.push(bytes.take(cost.bytes), work.take(cost.work))
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

  /**
   * Runs expensive work in turn with other senders, see `FrameScheduler`. Reading pauses while more than 64 KiB wait;
   * `bytes` is the memory that the action keeps.
   */
  schedule(act: () => void, bytes = 0): void {
    const { scheduler } = this.#options.counts
    const group = this.#widest?.key ?? this.#options.address
    if (scheduler.mayRunNow(group)) return act()
    const size = bytes + frameOverhead
    this.#queued += size
    if (this.#queued >= queuedAtMost) this.#resumeQueued ??= this.pauseReading()
    scheduler.enqueue(group, () => {
      this.#queued -= size
      if (this.#queued < queuedAtMost) {
        this.#resumeQueued?.()
        this.#resumeQueued = undefined
      }
      if (this.#isOpen) act()
    })
  }

  /** Sends large messages one after the other, each after the client has read all waiting bytes. */
  whenRead(send: () => Promise<void>): Promise<void> {
    const sending = this.#sending.then(async () => {
      while (this.#socket.bufferedAmount > littleUnread && this.#isOpen) await sleep(pollReadMs)
      // Each message is completely in memory and uses time on the event loop.
      await (this.#widest ? this.#widest.answers.runExclusive(send) : send())
    })
    this.#sending = sending.catch(() => undefined)
    return sending
  }

  stop(): void {
    this.#settle(this.#uncharged)
    clearTimeout(this.#resume)
  }

  get #widest(): SocketGroup | undefined {
    let widest: SocketGroup | undefined
    for (const group of this.#options.groups) widest = group
    return widest
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
    // While reading was paused, no data of the client could arrive.
    this.#options.onRead()
    this.#socket.resume()
  }
}
