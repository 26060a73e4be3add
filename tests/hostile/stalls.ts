import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const everyMs = 5
// A timer is seldom exact.
const toleratedMs = 5

/** When something began, and how long those who take part had waited for a processor by then. */
export type Span = { from: number; waitedMs: number }

/**
 * Measures what the server takes, without what isn't its doing, on a machine of two cores that runs several test files
 * at once. The server's main thread may be ready to run and get no processor: the scheduler counts that in /proc, where
 * there is one, and it is subtracted. And the measuring thread may be late itself: with `isOwnWorkPart` (reading a
 * document belongs to opening it) what this thread has waited for a processor is subtracted, too, else all that its
 * event loop was late, told by a timer every five milliseconds, where that overlaps the span. On a quiet machine all of
 * this is nothing.
 */
export class Stopwatch {
  readonly #schedules: string[]
  readonly #late: { from: number; to: number }[] = []
  readonly #timer: NodeJS.Timeout | undefined
  #last = performance.now()

  constructor(serverPid: number, isOwnWorkPart = false) {
    this.#schedules = [`/proc/${serverPid}/schedstat`, ...(isOwnWorkPart ? ['/proc/thread-self/schedstat'] : [])]
    if (!isOwnWorkPart) this.#timer = setInterval(() => this.#tick(), everyMs)
  }

  begin(): Span {
    return { from: performance.now(), waitedMs: this.#runQueueWaitMs() }
  }

  /** Milliseconds since `begin` that are the server's. */
  elapsed({ from, waitedMs }: Span): number {
    if (this.#timer) this.#tick()
    const now = performance.now()
    const late = this.#late.reduce((sum, each) => sum + Math.max(0, each.to - Math.max(from, each.from)), 0)
    return Math.max(0, now - from - late - Math.max(0, this.#runQueueWaitMs() - waitedMs))
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

  #runQueueWaitMs(): number {
    return this.#schedules.reduce((sum, file) => sum + runQueueWaitOf(file), 0)
  }
}

/** Milliseconds that a thread has ever waited for a processor; 0 where that can't be known. */
function runQueueWaitOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
