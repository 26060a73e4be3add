import { firstClient, updateOf } from '../blocks.ts'
import { always, type HostileInput, sendUpdates, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { any, type Content, type Id, json, type } from '../update-writer.ts'

const meta = (name: string, limit: string, key: string, content: Content, isTaken = false): HostileInput => ({
  name,
  limit,
  scale: always(1),
  build: (_, at) => [sendUpdates(at, [updateOf((to) => to.add(content, { parent: 'meta', key }))])],
  expect: isTaken ? 'acknowledged' : refusals.schema,
})

const { titleCharacters, frontmatterBytes, stepsInUpdate } = limits
const title = `a title of ${titleCharacters} characters`
const frontmatter = `a frontmatter of ${frontmatterBytes} bytes`
const keys = 'title, schemaVersion and frontmatter'

/**
 * Titles that replace each other, each of which says that nothing was there before: Yjs goes through all of them for
 * each.
 */
const withoutOrigin = (size: number, at: Target) => [
  sendUpdates(at, [
    updateOf((to) => {
      for (let index = 0; index < size; index++) to.add(any(`Title ${index}`), { parent: 'meta', key: 'title' })
    }),
  ]),
]

/** Contents of the map `meta`, and values that replace each other. */
export const maps: readonly HostileInput[] = [
  meta('a title as long as it may be', title, 'title', any('x'.repeat(titleCharacters)), true),
  meta('a title that is a character too long', title, 'title', any('x'.repeat(titleCharacters + 1))),
  meta('a title that is an object', title, 'title', any({ x: 1 })),
  meta('a title that is a type', title, 'title', type('text')),
  meta('a frontmatter as long as it may be', frontmatter, 'frontmatter', any('x'.repeat(frontmatterBytes)), true),
  meta(
    'a frontmatter that is a byte too long',
    frontmatter,
    'frontmatter',
    any(`${'x'.repeat(frontmatterBytes - 1)}é`),
  ),
  meta('a schema version that is a text', keys, 'schemaVersion', any('1')),
  meta('another key', keys, 'other', any(1)),
  meta('the key __proto__', keys, '__proto__', any({ polluted: true })),
  meta('a title as JSON of an old client', keys, 'title', json('Title')),
  {
    name: 'many other keys',
    limit: keys,
    scale: { ci: 2000, full: 120_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          for (let index = 0; index < size; index++) to.add(any(1), { parent: 'meta', key: `key${index}` })
        }),
      ]),
    ],
    expect: refusals.schema,
  },
  {
    name: 'a title that is replaced again and again',
    limit: `${limits.structsInUpdate} structs in an update`,
    scale: { ci: 2000, full: 100_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          let last: Id | undefined
          for (let index = 0; index < size; index++) {
            last = to.add(any(`Title ${index}`), last ? { left: last } : { parent: 'meta', key: 'title' })
          }
        }),
      ]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'titles of which none knows the one before, up to the limit',
    limit: `${stepsInUpdate} steps in an update`,
    // Each goes through those before it: n(n-1)/2 steps.
    scale: { ci: 300, full: 600 },
    build: withoutOrigin,
    expect: 'acknowledged',
  },
  {
    name: 'titles of which none knows the one before, beyond the limit',
    limit: `${stepsInUpdate} steps in an update`,
    scale: { ci: 1000, full: 50_000 },
    build: withoutOrigin,
    expect: refusals.tooCostly,
  },
  {
    name: 'titles of many ids of which none knows the one before, beyond the limit',
    limit: `${stepsInUpdate} steps in an update`,
    scale: { ci: 1000, full: 50_000 },
    build: (size, at) => [sendUpdates(at, [fromManyIds(size)])],
    expect: refusals.tooCostly,
  },
]

function fromManyIds(size: number): Uint8Array {
  return updateOf((to, writer) => {
    const blocks = [
      to,
      ...Array.from({ length: limits.clientsInUpdate - 1 }, (_, index) => writer.block(firstClient + 1 + index)),
    ]
    for (let index = 0; index < size; index++) {
      blocks[index % blocks.length]?.add(any(`Title ${index}`), { parent: 'meta', key: 'title' })
    }
  })
}
