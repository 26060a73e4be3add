import { expect, test } from 'vitest'
import { type Outcome, playSeed } from './scenario.ts'

/** Seeds that failed once stay here. */
const pinned: number[] = []
const count = Number(process.env.FUZZ_SEEDS ?? 3)
const first = Number(process.env.FUZZ_FIRST_SEED ?? 1)
const seeds = [...new Set([...pinned, ...Array.from({ length: count }, (_, index) => first + index)])]

test(
  `[CONV-1] people, the agent, broken lines and a killed server: all see one document (${seeds.length} seeds)`,
  { timeout: seeds.length * 120_000 },
  async () => {
    const outcomes: Outcome[] = []
    const failed: string[] = []
    for (const seed of seeds) {
      try {
        outcomes.push(await playSeed(seed))
      } catch (error) {
        failed.push(`seed ${seed}: ${describe(error)}`)
      }
    }
    const sum = (key: keyof Outcome): number => Math.round(outcomes.reduce((total, outcome) => total + outcome[key], 0))
    console.log(
      `convergence: ${JSON.stringify({ seeds: seeds.length, failed: failed.length, tokens: sum('expected'), runs: sum('runs'), completed: sum('completed'), restarts: sum('restarts'), seconds: sum('seconds') })}`,
    )
    expect(failed.join('\n')).toBe('')
    // A session in which nobody wrote or no run ended well would converge and prove nothing.
    // How much of one session's text is left depends on when the agent's deletions and a cut line fall into it.
    for (const { expected } of outcomes) expect(expected).toBeGreaterThan(0)
    expect(sum('expected')).toBeGreaterThan(20 * seeds.length)
    for (const { completed } of outcomes) expect(completed).toBeGreaterThan(0)
    expect(sum('restarts')).toBe(seeds.filter((seed) => seed % 3 === 0).length)
  },
)

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { actual, expected } = error as { actual?: unknown; expected?: unknown }
  const differing =
    actual === undefined ? '' : `\nfound ${JSON.stringify(actual)}\nexpected ${JSON.stringify(expected)}`
  return `${error.stack ?? error.message}${differing}`
}
