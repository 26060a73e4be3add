import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { join, signIn } from '../support/client.ts'
import { missingWords, startTyping } from './typist.ts'

/** What became of the edits of one trial: how many were acknowledged, and how many of those are missing. */
export type DurabilityCount = { rounds: number; typed: number; acknowledged: number; missing: number }

const writers = 4

/**
 * Kills the server with SIGKILL at random moments while several clients type, starts it again, and counts which of the
 * acknowledged words a client that joins afterwards doesn't find. Typists don't come back after a kill: what is found must
 * come from the server's disk alone.
 */
export async function countLostEdits(rounds: number, random: () => number = Math.random): Promise<DurabilityCount> {
  const server = await startCopydesk()
  const count: DurabilityCount = { rounds, typed: 0, acknowledged: 0, missing: 0 }
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
  const killAt = 50 + Math.floor(random() * 250)
  await new Promise((resolve) => setTimeout(resolve, killAt))
  await server.kill()
  for (const typist of typists) typist.stop()
  await server.restart()

  const reader = await join(server.url, token, id)
  for (const typist of typists) {
    count.typed += typist.typed
    count.acknowledged += typist.acknowledged
    count.missing += missingWords(typist, reader)
    typist.peer.close()
  }
  reader.close()
}
