import { type AwarenessClaim, awarenessFrame, concat, frame, frameTypes, varString, varUint } from '@copydesk/testing'
import { always, type HostileInput, sendFrames, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'

const { awarenessBytes, awarenessEntries } = limits
const bytes = `${awarenessBytes} bytes of a state`
const entries = `${awarenessEntries} entries in a frame`

const claims = (count: number, stateOf: (index: number) => unknown): AwarenessClaim[] =>
  Array.from({ length: count }, (_, index) => ({ clientId: 5_000_000 + index, clock: 1, state: stateOf(index) }))

const presence = (
  name: string,
  limit: string,
  scale: HostileInput['scale'],
  expect: HostileInput['expect'],
  framesOf: (size: number, at: Target) => Uint8Array[],
): HostileInput => ({ name, limit, scale, build: (size, at) => [sendFrames(framesOf(size, at))], expect })

/** A state of so many bytes as JSON. */
function stateOf(size: number): unknown {
  const empty = JSON.stringify({ cursor: { anchor: '', head: null } }).length
  return { cursor: { anchor: 'x'.repeat(size - empty), head: null } }
}

/** Presence of users. */
export const awareness: readonly HostileInput[] = [
  presence('a state as large as it may be', bytes, always(awarenessBytes), 'acknowledged', (size, at) => [
    awarenessFrame(
      at.id,
      claims(1, () => stateOf(size)),
    ),
  ]),
  presence('a state that is a byte too large', bytes, always(awarenessBytes + 1), refusals.tooLarge, (size, at) => [
    awarenessFrame(
      at.id,
      claims(1, () => stateOf(size)),
    ),
  ]),
  presence('as many entries as a frame may have', entries, always(awarenessEntries), 'acknowledged', (size, at) => [
    awarenessFrame(
      at.id,
      claims(size, () => ({ cursor: null })),
    ),
  ]),
  presence('one entry too many', entries, always(awarenessEntries + 1), refusals.tooLarge, (size, at) => [
    awarenessFrame(
      at.id,
      claims(size, () => ({ cursor: null })),
    ),
  ]),
  presence(
    'a frame that says that it has more entries than it has',
    entries,
    always(1_000_000_000),
    [refusals.tooLarge, refusals.invalid],
    (size, at) => [frame(at.id, frameTypes.awareness, concat(varUint(6), varUint(size), Uint8Array.of(0)))],
  ),
  presence(
    'a state that is nested without end',
    bytes,
    always(2000),
    ['acknowledged', refusals.invalid],
    (size, at) => [nested(at, size)],
  ),
  presence('many states as large as they may be', bytes, { ci: 300, full: 10_000 }, 'acknowledged', (size, at) =>
    Array.from({ length: size }, (_, index) =>
      awarenessFrame(at.id, [{ clientId: 5_000_000, clock: index + 1, state: stateOf(awarenessBytes) }]),
    ),
  ),
  presence(
    'a clock of 53 bits',
    bytes,
    always(Number.MAX_SAFE_INTEGER),
    ['acknowledged', refusals.invalid],
    (size, at) => [awarenessFrame(at.id, [{ clientId: 5_000_000, clock: size, state: {} }])],
  ),
  presence(
    'messages that nobody knows',
    'a frame that can be read',
    { ci: 100, full: 2000 },
    'acknowledged',
    (size, at) => Array<Uint8Array>(size).fill(frame(at.id, frameTypes.stateless, varString('x'.repeat(10_000)))),
  ),
]

function nested(at: Target, levels: number): Uint8Array {
  const json = `{"cursor":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const entry = concat(varUint(5_000_000), varUint(1), varString(json))
  const update = concat(varUint(1), entry)
  return frame(at.id, frameTypes.awareness, concat(varUint(update.byteLength), update))
}
