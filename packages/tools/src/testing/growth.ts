// What a kernel counts in ticks of some milliseconds is exact enough after this many microseconds.
const leastTime = 60_000

/**
 * How many times as much processor time work takes on four times the size: about 4 if the time is linear, 16 if it is
 * quadratic. Counts this thread alone, and the best of three rounds, so that a busy machine changes little.
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
