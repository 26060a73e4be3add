import { randomInt } from 'node:crypto'
import { until } from '@copydesk/testing'
import { type TestPeer, textIn } from '../support/client.ts'

/** A client that types words into its own paragraph and knows which of them are acknowledged. */
export type Typist = {
  peer: TestPeer
  paragraph: number
  word: (index: number) => string
  typed: number
  acknowledged: number
  type(): void
  /** Stops typing. */
  rest(): void
  /** Stops typing, and goes offline. */
  stop(): void
  /** Goes online again. Resolves when everything that was typed is acknowledged. */
  reconnect(): Promise<void>
}

/**
 * Types a word every few milliseconds. The provider counts unacknowledged frames, one a word, and the server
 * acknowledges in order: all but the last `unsyncedChanges` words are acknowledged.
 */
export function startTyping(peer: TestPeer, label: string, paragraph: number, everyMs = 2): Typist {
  const nonce = randomInt(1_000_000).toString(36)
  const note = ({ number }: { number: number }): void => {
    typist.acknowledged = Math.max(typist.acknowledged, typist.typed - number)
  }
  const typist: Typist = {
    peer,
    paragraph,
    word: (index) => ` ${label}w${paragraph}n${nonce}i${index};`,
    typed: 0,
    acknowledged: 0,
    type() {
      const text = textIn(peer.fragment, paragraph)
      typist.typed++
      text.insert(text.length, typist.word(typist.typed - 1))
    },
    rest: () => clearInterval(timer),
    stop() {
      typist.rest()
      peer.content.off('unsyncedChanges', note)
      peer.socket.disconnect()
    },
    async reconnect() {
      // The provider ignores `connect` until the old socket has closed.
      await until(() => peer.socket.webSocket === null, 'the line is down')
      await peer.socket.connect()
      await peer.saved()
    },
  }
  const timer = setInterval(() => typist.type(), everyMs)
  peer.content.on('unsyncedChanges', note)
  // After the connection is lost the provider restarts its count.
  peer.content.on('close', () => peer.content.off('unsyncedChanges', note))
  return typist
}

/** The words of a typist that another client sees. */
export function wordsSeen(typist: Typist, reader: TestPeer): string[] {
  const found = textIn(reader.fragment, typist.paragraph).toJSON()
  return wordsOf(typist, typist.typed).filter((word) => found.includes(word))
}

/** How many of the first `count` words of a typist are missing in another client's document. */
export function missingWords(typist: Typist, reader: TestPeer, count = typist.acknowledged): number {
  const seen = new Set(wordsSeen(typist, reader))
  return wordsOf(typist, count).filter((word) => !seen.has(word)).length
}

function wordsOf(typist: Typist, count: number): string[] {
  return Array.from({ length: count }, (_, index) => typist.word(index))
}
