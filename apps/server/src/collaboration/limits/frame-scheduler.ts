/** Work per iteration of the event loop, in steps of some 50 ns: some 10 ms. */
const workPerIteration = 200_000
/** Work of one group before the next group's turn: a group's small frames are answered together. */
const workPerGroup = 10_000

type Queue = (() => void)[]

/**
 * Shares the event loop fairly between senders. Cheap frames are handled immediately. When the frames of one iteration
 * of the event loop have cost 10 ms, the rest wait for the next iteration, which handles 0.5 ms of frames, at least
 * one, of each waiting group in rotation (deficit round robin). A network buffer may contain a thousand frames of one
 * client.
 */
export class FrameScheduler {
  readonly #queues = new Map<string, Queue>()
  #work = 0
  #isScheduled = false

  /** Whether an action of `group` may run now: the group has no queued action, and the budget is not used up. */
  mayRunNow(group: string): boolean {
    return this.#work < workPerIteration && !this.#queues.has(group)
  }

  /** Runs `act` in a later iteration, after the queued actions of `group`. */
  enqueue(group: string, act: () => void): void {
    const queue = this.#queues.get(group)
    if (queue) queue.push(act)
    else this.#queues.set(group, [act])
    this.#schedule()
  }

  /** Counts work done in the current iteration. */
  note(work: number): void {
    this.#work += work
    if (this.#work >= workPerIteration) this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#isScheduled = false
    this.#work = 0
    for (const [group, queue] of this.#queues) {
      if (this.#work >= workPerIteration) break
      const shareEnd = this.#work + workPerGroup
      while (queue.length > 0 && this.#work < shareEnd) queue.shift()?.()
      // A group that was served moves to the end.
      this.#queues.delete(group)
      if (queue.length > 0) this.#queues.set(group, queue)
    }
    if (this.#queues.size > 0) this.#schedule()
  }
}
