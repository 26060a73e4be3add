import { addBlock, updateOf } from '../blocks.ts'
import { always, type HostileInput, sendUpdates } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { type BlockWriter, element, type Id, text } from '../update-writer.ts'

const limit = `${limits.depth} levels`

// The paragraph, its text and what stands in that are levels, too.
const innermost = 3

/** Quotes inside of each other, and in the last a paragraph; `width`: how many empty paragraphs each has besides. */
function nested(levels: number, width = 0): Uint8Array {
  return updateOf((to) => {
    let parent: string | Id = 'default'
    for (let level = 0; level < levels - innermost; level++) {
      parent = to.add(element('blockquote'), { parent })
      widen(to, parent, width)
    }
    addBlock(to, [text('deep')], { parent })
  })
}

function widen(to: BlockWriter, parent: Id, width: number): void {
  let left: Id | undefined
  for (let index = 0; index < width; index++) left = to.add(element('paragraph'), left ? { left } : { parent })
}

/** One level in each update. */
function level(index: number): Uint8Array {
  const parent: string | Id = index === 0 ? 'default' : { client: 1_000_000, clock: index - 1 }
  return updateOf((to) => to.add(element('blockquote'), { parent }), 1_000_000, index)
}

/** How deep blocks are nested. */
export const depth: readonly HostileInput[] = [
  {
    name: 'as deep as blocks may be',
    limit,
    scale: always(limits.depth - 1),
    build: (size, at) => [sendUpdates(at, [nested(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'some levels too deep',
    limit,
    scale: always(limits.depth + 2),
    build: (size, at) => [sendUpdates(at, [nested(size)])],
    expect: refusals.schema,
  },
  {
    name: 'very deep',
    limit,
    scale: { ci: 20_000, full: 400_000 },
    build: (size, at) => [sendUpdates(at, [nested(size)])],
    expect: [refusals.schema, refusals.tooLarge],
  },
  {
    name: 'too deep, a level in each update',
    limit,
    scale: always(limits.depth + 2),
    build: (size, at) => [
      sendUpdates(
        at,
        Array.from({ length: size }, (_, index) => level(index)),
      ),
    ],
    expect: refusals.schema,
  },
  {
    name: 'as deep as blocks may be, and wide at each level',
    limit,
    scale: { ci: 20, full: 200 },
    build: (size, at) => [sendUpdates(at, [nested(limits.depth - 1, size)])],
    expect: 'acknowledged',
  },
  {
    name: 'many that are as deep as blocks may be',
    limit,
    scale: { ci: 50, full: 250 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          for (let index = 0; index < size; index++) {
            let parent: string | Id = 'default'
            for (let inner = 0; inner < limits.depth - 1 - innermost; inner++) {
              parent = to.add(element('blockquote'), { parent })
            }
            addBlock(to, [text('x')], { parent })
          }
        }),
      ]),
    ],
    expect: ['acknowledged', refusals.tooCostly],
  },
  {
    name: 'very deep under another root type',
    limit,
    scale: { ci: 10_000, full: 120_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          let parent: string | Id = 'other'
          for (let index = 0; index < size; index++) parent = to.add(element('blockquote'), { parent })
        }),
      ]),
    ],
    expect: refusals.schema,
  },
]
