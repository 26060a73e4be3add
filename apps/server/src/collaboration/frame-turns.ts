/** Work of some 10 ms, in steps of some 50 ns. */
const workInTurn = 200_000

type Queue = (() => void)[]

/**
 * Shares the event loop between those who send: frames that cost little are taken at once. When those of one turn of
 * the loop have cost 10 ms, the others wait for the next, in which everybody who waits has one of theirs taken after
 * the other. A network buffer may hold a thousand frames of one client.
 */
export class FrameTurns {
  readonly #queues = new Map<string, Queue>()
  #work = 0
  #isScheduled = false

  /** Takes `act` now or in a later turn, after what `group` has waiting. Whether it was taken now. */
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

  /** Something has cost this much in the present turn. */
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
    // Each once, and again, until the turn is used up; who was first is last in the next.
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
