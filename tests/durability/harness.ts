import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { join, signIn } from '../support/client.ts'
import { missingWords, startTyping, wordsSeen } from './typist.ts'

/** The edits of one trial: how many were acknowledged, or seen by another client, and how many of those are missing. */
export type DurabilityCount = {
  rounds: number
  typed: number
  acknowledged: number
  missing: number
  seen: number
  seenAndMissing: number
}

const writers = 4

/**
 * Kills the server with SIGKILL at random moments while several clients type, starts it again, and counts which of the
 * acknowledged words, and of those that another client had seen, a client that joins afterwards doesn't find. No client
 * reconnects after a kill: all words must come from the server alone.
 */
export async function countLostEdits(rounds: number, random: () => number = Math.random): Promise<DurabilityCount> {
  const server = await startCopydesk()
  const count: DurabilityCount = { rounds, typed: 0, acknowledged: 0, missing: 0, seen: 0, seenAndMissing: 0 }
  try {
    const person = await signIn(server.url, 'Ana')
    const { id } = await person.create({ markdown: Array.from({ length: writers }, () => 'start').join('\n\n') })
    for (let round = 0; round < rounds; round++) await playRound(server, person.token, id, round, random, count)
  } finally {
    await server.dispose()
  }
  return count
}

async function playRound(
  server: Copydesk,
  token: string,
  id: string,
  round: number,
  random: () => number,
  count: DurabilityCount,
): Promise<void> {
  const typists = await Promise.all(
    Array.from({ length: writers }, async (_, index) =>
      startTyping(await join(server.url, token, id), `r${round}`, index),
    ),
  )
  const watcher = await join(server.url, token, id)
  const killAt = 50 + Math.floor(random() * 250)
  await new Promise((resolve) => setTimeout(resolve, killAt))
  await server.kill()
  for (const typist of typists) typist.stop()
  watcher.socket.disconnect()
  await server.restart()

  const reader = await join(server.url, token, id)
  for (const typist of typists) {
    count.typed += typist.typed
    count.acknowledged += typist.acknowledged
    count.missing += missingWords(typist, reader)
    const [seen, found] = [wordsSeen(typist, watcher), new Set(wordsSeen(typist, reader))]
    count.seen += seen.length
    count.seenAndMissing += seen.filter((word) => !found.has(word)).length
    typist.peer.close()
  }
  watcher.close()
  reader.close()
}
