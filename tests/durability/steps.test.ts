import { expect, test } from 'vitest'
import { roundsOr } from './faulty-server.ts'
import { runRoundsInParallel } from './shared-rounds.ts'
import { countLossesAtEveryStep } from './steps.ts'

const rounds = roundsOr(8)

test(
  `[LOG-1] killed at one step after the other of appends, snapshots, runs and undos, ${rounds} times, the server has all it acknowledged or showed`,
  { timeout: 60_000 + rounds * 20_000 },
  async () => {
    const games = [
      ['append', 'run'],
      ['snapshot', 'undo'],
    ] as const
    const count = await runRoundsInParallel(rounds, games.length, (share, server) =>
      countLossesAtEveryStep(games[server]!, share),
    )
    console.log(`steps: ${JSON.stringify(count)}`)
    for (const name of ['append', 'run', 'undo']) expect(count.kills[name], name).toBeGreaterThan(0)
    expect(count).toMatchObject({ missing: 0, seenAndMissing: 0, lostUnsaved: 0 })
    expect(count.acknowledged).toBeGreaterThan(rounds * 2)
  },
)
