import { concat, syncFrame, varBytes, varUint } from '@copydesk/testing'
import { addBlock, firstClient, paragraphOf, updateOf } from '../blocks.ts'
import { always, type HostileInput, postUpdate, sendFrames, sendUpdates, type Target } from '../hostile-input.ts'
import { refusals } from '../limits.ts'
import { element, text, UpdateWriter } from '../update-writer.ts'

const limit = 'nothing behind the end'
const written = 'an update as Yjs writes it'

const line = (): Uint8Array => paragraphOf([text('A line')])

const frame = (
  name: string,
  ci: number,
  full: number,
  make: (at: Target, size: number) => Uint8Array,
): HostileInput => ({
  name,
  limit,
  scale: { ci, full },
  build: (size, at) => [sendFrames([make(at, size)])],
  expect: refusals.invalid,
})

const update = (
  name: string,
  ci: number,
  full: number,
  expect: HostileInput['expect'],
  make: (size: number) => Uint8Array,
): HostileInput => ({
  name,
  limit: written,
  scale: { ci, full },
  build: (size, at) => [sendUpdates(at, [make(size)])],
  expect,
})

/** A number with bytes that add nothing to it. */
const longNumber = (value: number, bytes: number): Uint8Array =>
  concat(Uint8Array.of(value | 128), new Uint8Array(bytes - 2).fill(128), Uint8Array.of(0))

/** Bytes behind the end, and updates that are written as Yjs doesn't. */
export const trailing: readonly HostileInput[] = [
  frame('a byte behind an update', 1, 1, (at) => syncFrame(at.id, 2, concat(line(), Uint8Array.of(0)))),
  frame('megabytes behind an update', 1_000_000, 16_000_000, (at, size) =>
    syncFrame(at.id, 2, concat(line(), new Uint8Array(size))),
  ),
  frame('an update behind an update', 1, 1, (at) => syncFrame(at.id, 2, concat(line(), line()))),
  frame('a byte behind the payload of a frame', 1, 1, (at) => concat(syncFrame(at.id, 2, line()), Uint8Array.of(0))),
  frame('megabytes behind the payload of a frame', 1_000_000, 16_000_000, (at, size) =>
    concat(syncFrame(at.id, 2, line()), new Uint8Array(size)),
  ),
  frame('a byte behind a request to be synced', 1, 1, (at) =>
    concat(syncFrame(at.id, 0, Uint8Array.of(0)), Uint8Array.of(0)),
  ),
  {
    name: 'megabytes behind an update by HTTP',
    limit,
    scale: { ci: 1_000_000, full: 60_000_000 },
    build: (size, at) => [postUpdate(at, concat(line(), new Uint8Array(size)))],
    expect: 400,
  },
  update('an update of nothing', 1, 1, 'acknowledged', () => Uint8Array.of(0, 0)),
  update('very many blocks of no structs', 20_000, 3_000_000, [refusals.invalid, refusals.tooCostly], (size) => {
    const block = concat(varUint(0), varUint(firstClient), varUint(0))
    const bytes = new Uint8Array(block.byteLength * size)
    for (let index = 0; index < size; index++) bytes.set(block, index * block.byteLength)
    return concat(varUint(size), bytes, Uint8Array.of(0))
  }),
  update('many blocks of the same client id', 5000, 300_000, [refusals.invalid, refusals.tooCostly], (size) => {
    const writer = new UpdateWriter()
    for (let index = 0; index < size; index++) {
      writer.block(firstClient, index).add(element('paragraph'), { parent: 'default' })
    }
    return writer.bytes()
  }),
  update(
    'an update that says that it has more blocks than it has',
    1_000_000_000,
    1_000_000_000,
    refusals.invalid,
    (size) => concat(varUint(size), line().subarray(1)),
  ),
  update(
    'an update that says that it has more structs than it has',
    1_000_000_000,
    1_000_000_000,
    refusals.invalid,
    (size) => concat(varUint(1), varUint(size), varUint(firstClient), varUint(0), Uint8Array.of(0)),
  ),
  update(
    'an update that says that it deletes more than it does',
    1_000_000_000,
    1_000_000_000,
    refusals.invalid,
    (size) => concat(varUint(0), varUint(1), varUint(firstClient), varUint(size)),
  ),
  update('numbers with bytes that add nothing', 8, 8, [refusals.invalid, 'acknowledged'], (size) =>
    concat(longNumber(0, size), longNumber(0, size)),
  ),
  update('numbers with thousands of bytes that add nothing', 10_000, 1_000_000, refusals.invalid, (size) =>
    concat(longNumber(0, size), longNumber(0, size)),
  ),
  // `Y.mergeUpdates` drops what isn't sorted: what the server adds to the list must not delete the paragraphs next to
  // it.
  update(
    'client ids from the lowest to the highest, and a list that the server completes',
    20,
    90,
    [refusals.invalid, 'acknowledged'],
    (size) => {
      const writer = new UpdateWriter()
      for (let index = 0; index < size; index++) addBlock(writer.block(firstClient + index), [text('x')])
      writer.block(firstClient + size).add(element('bulletList'), { parent: 'default' })
      return writer.bytes('as asked for')
    },
  ),
  update('places that are left out, at the end', 2000, 2000, ['acknowledged', refusals.invalid], (size) =>
    updateOf((to) => {
      addBlock(to, [text('x')])
      to.skip(size)
    }),
  ),
  {
    name: 'a frame whose payload says that it is longer than the frame',
    limit: 'a frame that can be read',
    scale: always(1),
    build: (_, at) => [sendFrames([syncFrame(at.id, 2, varBytes(line())).slice(0, -4)])],
    expect: refusals.invalid,
  },
]
