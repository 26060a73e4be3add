import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const everyMs = 5
// A timer is seldom exact.
const toleratedMs = 5

/** How long something of the server's took. */
export type Span = { from: number; serverWaitedMs: number }

/**
 * Measures what the server takes, without what isn't its doing. Two things would be counted as its delay on a machine of two cores that runs several
 * test files: this thread was late to look (its event loop's delay, told by a timer every five milliseconds, is subtracted where it overlaps
 * the span), and the server's main thread was ready to run and got no processor (the scheduler counts that in /proc, where there is one).
 */
export class Stopwatch {
  readonly #schedule: string
  readonly #late: { from: number; to: number }[] = []
  readonly #timer: NodeJS.Timeout
  #last = performance.now()

  constructor(serverPid: number) {
    this.#schedule = `/proc/${serverPid}/schedstat`
    this.#timer = setInterval(() => this.#tick(), everyMs)
  }

  begin(): Span {
    return { from: performance.now(), serverWaitedMs: this.#waited() }
  }

  /** Milliseconds since `begin` that are the server's. */
  elapsed({ from, serverWaitedMs }: Span): number {
    this.#tick()
    const now = performance.now()
    const ownDelay = this.#late.reduce((sum, late) => sum + Math.max(0, late.to - Math.max(from, late.from)), 0)
    return Math.max(0, now - from - ownDelay - Math.max(0, this.#waited() - serverWaitedMs))
  }

  /** What was late before isn't needed any more. */
  forget(): void {
    this.#late.length = 0
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const now = performance.now()
    if (now - this.#last > everyMs + toleratedMs) this.#late.push({ from: this.#last + everyMs, to: now })
    this.#last = now
  }

  /** Milliseconds that the server's main thread has ever waited for a processor; 0 where that can't be known. */
  #waited(): number {
    try {
      return Number(readFileSync(this.#schedule, 'utf8').split(' ')[1]) / 1e6
    } catch {
      return 0
    }
  }
}
