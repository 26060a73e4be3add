import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { join, signIn } from '../support/client.ts'
import { roundsOr, startFaultyServer } from './faulty-server.ts'
import { runRoundsInParallel } from './shared-rounds.ts'
import { missingWords, startTyping, type Typist, wordsSeen } from './typist.ts'

const rounds = roundsOr(4)

/** Several people type while the disk lags behind, until the power is cut. */
async function countLossesOfPowerCuts(cuts: number) {
  const server = await startFaultyServer()
  const count = { rounds: cuts, acknowledged: 0, missing: 0, seenAndMissing: 0, lostUnsaved: 0 }
  try {
    const people = await Promise.all(['Ana', 'Ben', 'Cleo'].map((name) => signIn(server.url, name)))
    const [owner] = people
    const dora = await signIn(server.url, 'Dora')
    for (let round = 0; round < cuts; round++) {
      const { id } = await owner!.create({ markdown: 'one\n\ntwo\n\nthree' })
      server.setFaults({ keepsSynced: true, slowSyncMs: 20 })
      const watcher = await join(server.url, dora.token, id)
      const peers = await Promise.all(people.map(({ token }) => join(server.url, token, id)))
      const typists = peers.map((peer, paragraph) => startTyping(peer, `r${round}`, paragraph))
      await until(() => typists.every(({ acknowledged }) => acknowledged > 3), 'something is acknowledged')
      // Now at any time, now in the middle of a sync that what others have seen waits for.
      if (round % 2 === 0) await setTimeout((round * 7) % 100)
      else {
        server.setFaults({ keepsSynced: true, slowSyncMs: 500 })
        const isAhead = (typist: Typist): boolean => wordsSeen(typist, watcher).length > typist.acknowledged + 1
        await until(() => typists.some(isAhead), 'something is seen and not acknowledged')
      }
      await server.cutPower()
      for (const typist of typists) typist.stop()
      watcher.socket.disconnect()
      await server.restart()

      const reader = await join(server.url, owner!.token, id)
      for (const typist of typists) {
        count.acknowledged += typist.acknowledged
        count.missing += missingWords(typist, reader)
        const found = new Set(wordsSeen(typist, reader))
        count.seenAndMissing += wordsSeen(typist, watcher).filter((word) => !found.has(word)).length
      }
      reader.close()
      await Promise.all(typists.map((typist) => typist.reconnect()))
      const later = await join(server.url, owner!.token, id)
      for (const typist of typists) count.lostUnsaved += missingWords(typist, later, typist.typed)
      for (const peer of [...peers, watcher, later]) peer.close()
    }
  } finally {
    await server.dispose()
  }
  return count
}

test(
  `[LOG-31] the power goes ${rounds} times: all that was acknowledged is there, and the rest comes back with its authors`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    const count = await runRoundsInParallel(rounds, 2, countLossesOfPowerCuts)
    console.log(`power cuts: ${JSON.stringify(count)}`)
    expect(count).toMatchObject({ missing: 0, lostUnsaved: 0 })
    expect(count.acknowledged).toBeGreaterThan(rounds * 9)
    // Otherwise the power was cut when there was nothing to lose.
    expect(count.seenAndMissing).toBeGreaterThan(0)
  },
)
