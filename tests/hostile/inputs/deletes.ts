import { addBlock, deletionOf, firstClient, firstUnit, paragraphs, updateOf } from '../blocks.ts'
import { always, type HostileInput, sendUpdates } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { element, type Id, text } from '../update-writer.ts'

const { deletedRangesInUpdate } = limits
const limit = `${deletedRangesInUpdate} deleted ranges in an update`

// A text may have 20,000 items, and each range leaves two.
const charactersInBlock = 2000
const structsInBlock = charactersInBlock + 2

/** Blocks enough for so many ranges, each of which is one character of two. */
const blocksFor = (ranges: number): Uint8Array =>
  paragraphs(Math.ceil((2 * ranges) / charactersInBlock), () => 'x'.repeat(charactersInBlock))

function* everySecond(ranges: number): Generator<[number, number]> {
  const inBlock = charactersInBlock / 2
  for (let index = 0; index < ranges; index++) {
    const block = Math.floor(index / inBlock)
    yield [firstUnit.clock + block * structsInBlock + 2 * (index % inBlock), 1]
  }
}

const times = (count: number, range: [number, number]): [number, number][] => Array.from({ length: count }, () => range)

const onLine = (
  name: string,
  ci: number,
  full: number,
  rangesOf: (size: number) => [number, number][],
): HostileInput => ({
  name,
  limit,
  scale: { ci, full },
  prepare: () => paragraphs(1, () => 'x'.repeat(1000)),
  build: (size, at) => [sendUpdates(at, [deletionOf(rangesOf(size))])],
  expect: ['acknowledged', refusals.invalid],
})

/** A quote of so many paragraphs. */
function quoted(size: number): Uint8Array {
  return updateOf((to) => {
    const parent = to.add(element('blockquote'), { parent: 'default' })
    let after: Id | undefined
    for (let index = 0; index < size; index++) after = addBlock(to, [text('A paragraph')], { after, parent })
  })
}

/** Deletions. */
export const deletes: readonly HostileInput[] = [
  {
    name: 'as many ranges as a document can be divided into',
    limit: `${limits.documentStructs} structs in a document`,
    // Each leaves two structs more.
    scale: { ci: 5000, full: limits.documentStructs / 2 - 10_000 },
    prepare: blocksFor,
    build: (size, at) => [sendUpdates(at, [deletionOf(everySecond(size))])],
    expect: 'acknowledged',
  },
  {
    name: 'one range too many',
    limit,
    scale: always(deletedRangesInUpdate + 1),
    prepare: blocksFor,
    build: (size, at) => [sendUpdates(at, [deletionOf(everySecond(size))])],
    expect: refusals.tooLarge,
  },
  {
    name: 'very many ranges of nothing that is there',
    limit,
    scale: { ci: 300_000, full: 3_000_000 },
    build: (size, at) => [sendUpdates(at, [deletionOf(everySecond(size))])],
    expect: refusals.tooLarge,
  },
  onLine('the same range again and again', 5000, deletedRangesInUpdate, (size) => times(size, [2, 500])),
  onLine('ranges of no length', 5000, deletedRangesInUpdate, (size) => times(size, [2, 0])),
  onLine('ranges inside of each other', 400, 400, (size) =>
    Array.from({ length: size }, (_, index) => [firstUnit.clock + index, 1000 - 2 * index]),
  ),
  onLine('ranges from the last to the first', 490, 490, (size) =>
    Array.from({ length: size }, (_, index) => [firstUnit.clock + 2 * (size - index), 1]),
  ),
  {
    name: 'all of a large document, block by block',
    limit: 'what people do',
    scale: { ci: 1000, full: limits.childrenOfNode - 1000 },
    prepare: (size) => paragraphs(size, () => 'A paragraph of a large document'),
    build: (size, at) => [
      sendUpdates(at, [
        // Everything under the one client id.
        deletionOf([[0, size * (2 + 'A paragraph of a large document'.length)]]),
      ]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'a block with all of a large document in it, by its one id',
    limit: 'what people do',
    scale: { ci: 1000, full: limits.childrenOfNode },
    prepare: quoted,
    build: (_, at) => [sendUpdates(at, [deletionOf([[0, 1]])])],
    expect: 'acknowledged',
  },
  {
    name: 'blocks that are written and deleted in the same update',
    limit: `${limits.structsInUpdate} structs in an update`,
    scale: { ci: 2000, full: 100_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to, writer) => {
          let after: Id | undefined
          for (let index = 0; index < size; index++) after = addBlock(to, [text('x')], { after })
          writer.delete(firstClient, 0, 3 * size)
        }),
      ]),
    ],
    expect: ['acknowledged', refusals.tooLarge],
  },
]
