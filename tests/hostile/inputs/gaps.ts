import { addBlock, firstClient, textAt, typed, updateOf } from '../blocks.ts'
import { always, type HostileInput, sendUpdates, type Step, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { text, UpdateWriter } from '../update-writer.ts'

const { heldBytes, heldUpdates, clock } = limits
const inBytes = `${heldBytes} bytes that build on something missing`
const inUpdates = `${heldUpdates} updates that build on something missing`

/** Updates of one letter each, as a page sends them: the first brings its id in, and each builds on the one before. */
function keystrokes({ state }: Target, count: number): Uint8Array[] {
  return typed(state, firstClient, (doc) => {
    const line = textAt(doc, 0)
    for (let index = 0; index < count; index++) line.insert(line.length, 'x')
  })
}

/** Updates of so many bytes each. */
function longOnes({ state }: Target, count: number, bytes: number): Uint8Array[] {
  return typed(state, firstClient, (doc) => {
    const line = textAt(doc, 0)
    for (let index = 0; index < count; index++) line.insert(line.length, 'x'.repeat(bytes))
  })
}

/** All but the first, and that at the end, as one step: all must be acknowledged. */
function firstLast(at: Target, updates: Uint8Array[]): Step[] {
  const [first, ...others] = updates
  return first ? [sendUpdates(at, [...others, first])] : []
}

/** In an order that looks random and is always the same. */
function shuffled<T>(from: readonly T[]): T[] {
  return from
    .map((value, index) => ({ value, order: Math.imul(index + 1, 0x9e3779b1) >>> 0 }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ value }) => value)
}

/** Deletions of what comes only afterwards. */
function earlyDeletions(count: number): Uint8Array[] {
  const lines = updateOf((to) => addBlock(to, [text('x'.repeat(count))]))
  const deletions = Array.from({ length: count }, (_, index) => {
    const writer = new UpdateWriter()
    writer.delete(firstClient, 2 + index, 1)
    return writer.bytes()
  })
  return [lines, ...deletions]
}

/** Updates that build on something that isn't there (yet). */
export const gaps: readonly HostileInput[] = [
  {
    name: 'keystrokes in reverse order',
    limit: `${inUpdates}, taken in five seconds`,
    scale: always(19_000),
    build: (size, at) => [sendUpdates(at, keystrokes(at, size).toReversed())],
    expect: 'acknowledged',
    withinMs: 5000,
  },
  {
    name: 'keystrokes in any order',
    limit: inUpdates,
    scale: { ci: 5000, full: 19_000 },
    build: (size, at) => [sendUpdates(at, shuffled(keystrokes(at, size)))],
    expect: 'acknowledged',
    withinMs: 5000,
  },
  {
    name: 'as many updates as are held',
    limit: inUpdates,
    scale: { ci: 5000, full: heldUpdates },
    build: (size, at) => firstLast(at, keystrokes(at, size + 1)),
    expect: 'acknowledged',
  },
  {
    name: 'one update more than is held',
    limit: inUpdates,
    scale: always(heldUpdates + 2),
    build: (size, at) => [sendUpdates(at, keystrokes(at, size).slice(1))],
    expect: refusals.tooLarge,
  },
  {
    name: 'bytes of updates up to what is held',
    limit: inBytes,
    scale: always(8),
    // A quarter less: each update is counted with a little more than its bytes.
    build: (size, at) => firstLast(at, longOnes(at, size, (heldBytes * 3) / 32)),
    // A document has room for less than what may wait for it.
    expect: refusals.documentFull,
  },
  {
    name: 'bytes of updates beyond what is held',
    limit: inBytes,
    scale: always(10),
    build: (size, at) => [sendUpdates(at, longOnes(at, size, heldBytes / 8).slice(1))],
    expect: refusals.tooLarge,
  },
  {
    name: 'deletions of what isn’t there yet',
    limit: inUpdates,
    scale: { ci: 2000, full: 9000 },
    build: (size, at) => firstLast(at, earlyDeletions(size)),
    expect: 'acknowledged',
    withinMs: 5000,
  },
  {
    name: 'a deletion of 53 bits',
    limit: `clocks below ${clock}`,
    scale: always(1),
    build: (_, at) => {
      const writer = new UpdateWriter()
      writer.delete(firstClient, 0, Number.MAX_SAFE_INTEGER - 1)
      return [sendUpdates(at, [writer.bytes()])]
    },
    expect: [refusals.invalid, refusals.tooLarge],
  },
]
