/** Numbers, some of them by name. */
type Counts = { [name: string]: number | Counts }

/**
 * Plays rounds on several servers at once, each its share of them, and adds up what they counted: most of a round is
 * waiting. `play` gets the number of its rounds, and which of the servers it has.
 */
export async function runRoundsInParallel<T extends object>(
  rounds: number,
  servers: number,
  play: (rounds: number, server: number) => Promise<T>,
): Promise<T> {
  const shares = Array.from({ length: servers }, (_, server) => Math.floor((rounds + server) / servers))
  const counts = await Promise.all(shares.map(play))
  return counts.map((count) => count as unknown as Counts).reduce(add) as unknown as T
}

function add(some: Counts, others: Counts): Counts {
  const sum = { ...some }
  for (const [name, value] of Object.entries(others)) {
    const before = sum[name]
    if (typeof value === 'number') sum[name] = (typeof before === 'number' ? before : 0) + value
    else sum[name] = typeof before === 'object' ? add(before, value) : value
  }
  return sum
}
