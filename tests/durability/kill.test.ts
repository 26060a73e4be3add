import { expect, test } from 'vitest'
import { roundsOr } from './faulty-server.ts'
import { countLostEdits } from './harness.ts'
import { runRoundsInParallel } from './shared-rounds.ts'

// Those at each step, `steps.test.ts`, are as many again.
const rounds = roundsOr(4)

test(
  `[LOG-1] of all acknowledged edits, and of those that another client had seen, none is missing after ${rounds} kills`,
  { timeout: 20_000 + rounds * 6000 },
  async () => {
    const count = await runRoundsInParallel(rounds, 2, (share) => countLostEdits(share))
    console.log(`durability: ${JSON.stringify(count)}`)
    expect(count.acknowledged).toBeGreaterThan(rounds * 20)
    expect(count.seen).toBeGreaterThan(rounds * 20)
    expect(count).toMatchObject({ missing: 0, seenAndMissing: 0 })
  },
)
