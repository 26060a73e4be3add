import { randomInt } from 'node:crypto'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { join, signIn, type TestPeer, textIn } from '../support/client.ts'

/** What became of the edits of one trial: how many were acknowledged, and how many of those are missing. */
export type DurabilityCount = { rounds: number; typed: number; acknowledged: number; missing: number }

type Typist = { peer: TestPeer; word: (index: number) => string; typed: number; acknowledged: number; stop(): void }

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
    Array.from({ length: writers }, async (_, index) => startTyping(await join(server.url, token, id), round, index)),
  )
  const killAt = 50 + Math.floor(random() * 250)
  await new Promise((resolve) => setTimeout(resolve, killAt))
  await server.kill()
  for (const typist of typists) typist.stop()
  await server.restart()

  const reader = await join(server.url, token, id)
  typists.forEach((typist, index) => {
    const found = textIn(reader.fragment, index).toJSON()
    count.typed += typist.typed
    count.acknowledged += typist.acknowledged
    for (let word = 0; word < typist.acknowledged; word++) {
      if (!found.includes(typist.word(word))) count.missing++
    }
  })
  reader.close()
}

/**
 * Types a word every few milliseconds into a paragraph of its own. The provider counts unacknowledged frames, one a word,
 * and the server acknowledges in order: all but the last `unsyncedChanges` words are acknowledged.
 */
function startTyping(peer: TestPeer, round: number, writer: number): Typist {
  const nonce = randomInt(1_000_000).toString(36)
  const typist: Typist = {
    peer,
    typed: 0,
    acknowledged: 0,
    word: (index) => ` r${round}w${writer}n${nonce}i${index};`,
    stop() {
      clearInterval(timer)
      peer.socket.disconnect()
      peer.close()
    },
  }
  const note = ({ number }: { number: number }): void => {
    typist.acknowledged = Math.max(typist.acknowledged, typist.typed - number)
  }
  const timer = setInterval(() => {
    const text = textIn(peer.fragment, writer)
    typist.typed++
    text.insert(text.length, typist.word(typist.typed - 1))
  }, 2)
  peer.content.on('unsyncedChanges', note)
  // After the connection is gone the provider starts counting anew.
  peer.content.on('close', () => peer.content.off('unsyncedChanges', note))
  return typist
}
