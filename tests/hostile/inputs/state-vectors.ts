import * as encoding from 'lib0/encoding'
import { concat, syncFrame } from '@copydesk/testing'
import { firstClient } from '../blocks.ts'
import { always, type HostileInput, sendFrames, sendVectors, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'

const { vectorEntriesBeyondDocument } = limits
const limit = `${vectorEntriesBeyondDocument} entries of a state vector more than the document has ids`

function vector(entries: number, entryOf: (index: number) => [client: number, clock: number]): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, entries)
  for (let index = 0; index < entries; index++) {
    for (const number of entryOf(index)) encoding.writeVarUint(encoder, number)
  }
  return encoding.toUint8Array(encoder)
}

const unknown = (entries: number): Uint8Array => vector(entries, (index) => [firstClient + index, 1])
const idsIn = ({ doc }: Target): number => doc.store.clients.size

/** State vectors that a client says it has. */
export const stateVectors: readonly HostileInput[] = [
  {
    name: 'as many unknown ids as a state vector may have',
    limit,
    scale: always(vectorEntriesBeyondDocument),
    build: (size, at) => [sendVectors(at, [unknown(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'one id too many in a state vector',
    limit,
    scale: always(vectorEntriesBeyondDocument + 1),
    build: (size, at) => [sendVectors(at, [unknown(size + idsIn(at))])],
    expect: refusals.tooLarge,
  },
  {
    name: 'very many ids in a state vector',
    limit,
    scale: { ci: 200_000, full: 2_500_000 },
    build: (size, at) => [sendVectors(at, [unknown(size)])],
    expect: refusals.tooLarge,
  },
  {
    name: 'many state vectors as large as they may be',
    limit,
    scale: { ci: 50, full: 2000 },
    build: (size, at) => [sendVectors(at, Array<Uint8Array>(size).fill(unknown(vectorEntriesBeyondDocument)))],
    expect: 'acknowledged',
  },
  {
    name: 'the same id again and again',
    limit,
    scale: always(vectorEntriesBeyondDocument),
    build: (size, at) => [sendVectors(at, [vector(size, (index) => [firstClient, index])])],
    expect: ['acknowledged', refusals.invalid],
  },
  {
    name: 'clocks of 53 bits',
    limit: 'clocks below 2^32',
    scale: always(100),
    build: (size, at) => [sendVectors(at, [vector(size, (index) => [firstClient + index, Number.MAX_SAFE_INTEGER])])],
    expect: ['acknowledged', refusals.invalid],
  },
  {
    name: 'a state vector that says that it has more entries than it has',
    limit: 'a frame that can be read',
    scale: always(1_000_000_000),
    build: (size, at) => [sendFrames([syncFrame(at.id, 0, varUint(size))])],
    expect: refusals.invalid,
  },
  {
    name: 'bytes behind a state vector',
    limit: 'nothing behind the end',
    scale: { ci: 100_000, full: 8_000_000 },
    build: (size, at) => [sendFrames([syncFrame(at.id, 0, concat(unknown(1), new Uint8Array(size)))])],
    expect: refusals.invalid,
  },
]

function varUint(value: number): Uint8Array {
  return encoding.encode((encoder) => encoding.writeVarUint(encoder, value))
}
