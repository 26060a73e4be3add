/** Work per iteration of the event loop, in steps of some 50 ns: some 10 ms. */
const workInTurn = 200_000

type Queue = (() => void)[]

/**
 * Shares the event loop fairly between senders. Cheap frames are handled immediately. When the frames of one iteration
 * of the event loop have cost 10 ms, the rest wait for the next iteration, which takes one frame of each waiting group
 * in rotation. A network buffer may hold a thousand frames of one client.
 */
export class FrameTurns {
  readonly #queues = new Map<string, Queue>()
  #work = 0
  #isScheduled = false

  /** Runs `act` now, or in a later iteration after the queued actions of `group`. Returns whether it ran now. */
  take(group: string, act: () => void): boolean {
    const queue = this.#queues.get(group)
    if (!queue && this.#work < workInTurn) {
      act()
      return true
    }
    if (queue) queue.push(act)
    else this.#queues.set(group, [act])
    this.#schedule()
    return false
  }

  /** Counts work done in the current iteration. */
  note(work: number): void {
    this.#work += work
    if (this.#work >= workInTurn) this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#isScheduled = false
    this.#work = 0
    // Takes one action per group in rotation until the budget is used up; a group that was served moves to the end.
    for (const [group, queue] of this.#queues) {
      if (this.#work >= workInTurn) break
      this.#queues.delete(group)
      const act = queue.shift()
      if (queue.length > 0) this.#queues.set(group, queue)
      act?.()
    }
    if (this.#queues.size > 0) this.#schedule()
  }
}
