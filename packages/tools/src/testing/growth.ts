// A duration in microseconds for which a kernel clock with ticks of some milliseconds is exact enough.
const leastTime = 60_000

/**
 * The factor by which processor time grows with four times the size: about 4 if the time is linear, 16 if it is
 * quadratic. Measures only this thread, and the best of three rounds, so that a busy machine has little effect.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  const timeOf = (of: number): number => {
    const before = process.threadCpuUsage()
    for (let times = 1; ; times++) {
      work(of)
      const { user, system } = process.threadCpuUsage(before)
      if (user + system >= leastTime) return (user + system) / times
    }
  }
  const best = (of: number): number => Math.min(timeOf(of), timeOf(of), timeOf(of))
  work(size)
  return best(4 * size) / best(size)
}
