import { addBlock, firstClient, updateOf } from '../blocks.ts'
import { always, type HostileInput, sendUpdates, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import {
  any,
  binary,
  type BlockWriter,
  type Content,
  embed,
  type Id,
  json,
  raw,
  subDocument,
  text,
  type,
} from '../update-writer.ts'

const known = 'the attributes of docs/protocol.md'
const kinds = 'strings, marks, elements and values'

/** A paragraph, to which `add` adds. */
const paragraphWith = (add: (to: BlockWriter, paragraph: Id) => void): Uint8Array =>
  updateOf((to) => add(to, addBlock(to, [text('It has attributes')])))

const attribute = (name: string, limit: string, key: string, content: Content, isTaken = false): HostileInput => ({
  name,
  limit,
  scale: always(1),
  build: (_, at) => [sendUpdates(at, [paragraphWith((to, parent) => to.add(content, { parent, key }))])],
  expect: isTaken ? 'acknowledged' : refusals.schema,
})

/** Content of a kind that no editor writes, in a text and among blocks. */
const kind = (name: string, content: Content, expect: HostileInput['expect'] = refusals.schema): HostileInput[] => [
  {
    name: `${name} among blocks`,
    limit: kinds,
    scale: always(1),
    build: (_, at) => [sendUpdates(at, [updateOf((to) => to.add(content, { parent: 'default' }))])],
    expect,
  },
  {
    name: `${name} in a text`,
    limit: kinds,
    scale: always(1),
    build: (_, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          const paragraph = addBlock(to, [])
          to.add(content, { parent: to.add(type('xmlText'), { parent: paragraph }) })
        }),
      ]),
    ],
    expect,
  },
]

/** A value of arrays in arrays, as bytes of lib0: written by hand, its writer would call itself as often. */
function nestedArrays(depth: number): Content {
  const bytes = new Uint8Array(1 + 2 * depth + 1)
  bytes[0] = 1
  for (let index = 0; index < depth; index++) bytes.set([117, 1], 1 + 2 * index)
  bytes[bytes.length - 1] = 126
  return raw('any', 1, bytes)
}

const withoutOrigin = (size: number, at: Target) => [
  sendUpdates(at, [
    paragraphWith((to, parent) => {
      for (let index = 0; index < size; index++) to.add(any(`thread${index}`), { parent, key: 'threads' })
    }),
  ]),
]

/** Attributes of nodes, and content that an item may have. */
export const attributes: readonly HostileInput[] = [
  attribute('an attribute that paragraphs have', known, 'threads', any('a b c'), true),
  attribute('an attribute that paragraphs don’t have', known, 'marquee', any('x')),
  attribute('an attribute of another node', known, 'colspan', any(1)),
  attribute('the attribute __proto__', known, '__proto__', any('x')),
  attribute('an attribute with a name of a megabyte', known, 'x'.repeat(1_000_000), any('x')),
  attribute('an attribute that is a binary', known, 'threads', binary(new Uint8Array(100))),
  attribute('an attribute that is an object', known, 'threads', any({ x: [1] })),
  {
    ...attribute('an attribute of arrays in arrays', known, 'threads', nestedArrays(100_000)),
    expect: [refusals.schema, refusals.invalid],
  },
  {
    ...attribute('an attribute of 100,000 values', known, 'threads', any(...Array<string>(100_000).fill('x'))),
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    ...attribute('an attribute of a megabyte', known, 'threads', any('x'.repeat(1_000_000))),
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    name: 'many attributes that paragraphs don’t have',
    limit: known,
    scale: { ci: 2000, full: 100_000 },
    build: (size, at) => [
      sendUpdates(at, [
        paragraphWith((to, parent) => {
          for (let index = 0; index < size; index++) to.add(any(index), { parent, key: `data-${index}` })
        }),
      ]),
    ],
    expect: refusals.schema,
  },
  {
    name: 'an attribute that is replaced again and again',
    limit: `${limits.structsInUpdate} structs in an update`,
    scale: { ci: 2000, full: 100_000 },
    build: (size, at) => [
      sendUpdates(at, [
        paragraphWith((to, parent) => {
          let last: Id | undefined
          for (let index = 0; index < size; index++) {
            last = to.add(any(`thread${index % 1000}`), last ? { left: last } : { parent, key: 'threads' })
          }
        }),
      ]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'values of which none knows the one before, up to the limit',
    limit: `${limits.stepsInUpdate} steps in an update`,
    scale: { ci: 300, full: 600 },
    build: withoutOrigin,
    expect: 'acknowledged',
  },
  {
    name: 'values of which none knows the one before, beyond the limit',
    limit: `${limits.stepsInUpdate} steps in an update`,
    scale: { ci: 1000, full: 50_000 },
    build: withoutOrigin,
    expect: refusals.tooCostly,
  },
  {
    name: 'many attributes of many paragraphs',
    limit: `${limits.structsInUpdate} structs in an update`,
    scale: { ci: 1000, full: 25_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          let after: Id | undefined
          for (let index = 0; index < size; index++) {
            after = addBlock(to, [text('x')], { after })
            to.add(any(`t${index % 1000}`), { parent: { client: firstClient, clock: after.clock }, key: 'threads' })
            to.add(any('[]'), { parent: after, key: 'suggestion' })
          }
        }),
      ]),
    ],
    expect: 'acknowledged',
  },
  ...kind('JSON', json({ x: 1 })),
  ...kind('a binary', binary(new Uint8Array(1000))),
  ...kind('an embedded object', embed({ image: 'x' })),
  ...kind('a sub-document', subDocument('sub'), refusals.invalid),
  ...kind('a map', type('map')),
  ...kind('a hook', type('hook', 'script')),
]
