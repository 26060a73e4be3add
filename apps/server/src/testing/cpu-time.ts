/** Processor time of this thread in microseconds that work takes; unlike a clock it counts no other process. */
export function cpuTimeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
