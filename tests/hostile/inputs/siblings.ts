import * as Y from 'yjs'
import { addBlock, firstClient, firstUnit, textAt, updateOf } from '../blocks.ts'
import {
  always,
  atNight,
  type HostileInput,
  postUpdate,
  sendUpdates,
  type Step,
  type Target,
} from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { element, type Id, text, type, UpdateWriter } from '../update-writer.ts'

const { stepsInUpdate, stepsInDocument, clientsInUpdate } = limits
const inUpdate = `${stepsInUpdate} steps over siblings in an update`
const inDocument = `${stepsInDocument} steps over siblings in a document`

/** A paragraph of so many characters, in which the inputs insert. */
const line = (size: number): Uint8Array => updateOf((to) => addBlock(to, [text('a'.repeat(size + 1))]))

const characterAt = (index: number): Id => ({ ...firstUnit, clock: firstUnit.clock + index })

// Below the id of the characters: an item of a higher id is done as soon as it has passed those of lower ones.
const hostile = firstClient - 1

/**
 * Characters after the first one, each with another right neighbour: each goes through all before it. The client ids
 * take turns.
 */
function sameLeft(size: number, ids = 1): Uint8Array {
  const writer = new UpdateWriter()
  const blocks = Array.from({ length: ids }, (_, index) => writer.block(hostile - index))
  for (let index = 0; index < size; index++) {
    blocks[index % ids]?.add(text('x'), { left: characterAt(0), right: characterAt(size - index) })
  }
  return writer.bytes()
}

/**
 * The same paragraph, whose characters were typed before another one: an item without a right neighbour isn't stopped
 * by them.
 */
const lineBefore = (size: number): Uint8Array =>
  updateOf((to) => {
    const into = addBlock(to, [])
    const end = to.add(text('z'), { parent: to.add(type('xmlText'), { parent: into }) })
    to.add(text('a'.repeat(size)), { right: end })
  })

/** Each after the character before the last one's, and without a right neighbour: each goes through all behind it. */
function chain(size: number): Uint8Array {
  return updateOf((to) => {
    for (let index = size - 1; index >= 0; index--)
      to.add(text('x'), { left: { client: firstClient, clock: 3 + index } })
  }, hostile)
}

/** The same with blocks instead of characters. */
function sameLeftBlocks(size: number): Uint8Array {
  return updateOf((to, writer) => {
    const base = writer.block(hostile)
    const first = base.add(element('paragraph'), { parent: 'default' })
    const others: Id[] = [first]
    for (let index = 0; index < size; index++)
      others.push(base.add(element('paragraph'), { left: others[index] ?? first }))
    for (let index = 0; index < size; index++) {
      to.add(element('paragraph'), { left: first, right: others[size - index] ?? first })
    }
  }, hostile - 1)
}

/** One character after the first in each of so many updates. */
function manyUpdates(size: number): Uint8Array[] {
  return Array.from({ length: size }, (_, index) => {
    const writer = new UpdateWriter()
    writer.block(hostile, index).add(text('x'), { left: characterAt(0), right: characterAt(size - index) })
    return writer.bytes()
  })
}

const inOne = (
  name: string,
  expect: HostileInput['expect'],
  ci: number,
  full: number,
  make: (size: number) => Uint8Array,
  prepare = line,
) => ({
  name,
  limit: inUpdate,
  scale: { ci, full },
  prepare,
  build: (size: number, at: Target): Step[] => [sendUpdates(at, [make(size)])],
  expect,
})

/** Items that are inserted at the same place, of which Yjs goes through one after the other. */
export const siblings: readonly HostileInput[] = [
  inOne('one left neighbour and many right ones, up to the limit', 'acknowledged', 300, 600, sameLeft),
  inOne('one left neighbour and many right ones, beyond the limit', refusals.tooCostly, 1000, 20_000, sameLeft),
  inOne('the same of many ids, up to the limit', 'acknowledged', 300, 520, (size) => sameLeft(size, clientsInUpdate)),
  inOne('the same of many ids, beyond the limit', refusals.tooCostly, 2000, 20_000, (size) =>
    sameLeft(size, clientsInUpdate),
  ),
  inOne('a chain of neighbours, up to the limit', 'acknowledged', 200, 440, chain, lineBefore),
  inOne('a chain of neighbours, beyond the limit', refusals.tooCostly, 1000, 20_000, chain, lineBefore),
  inOne('blocks with one left neighbour, up to the limit', 'acknowledged', 300, 440, sameLeftBlocks),
  inOne('blocks with one left neighbour, beyond the limit', refusals.tooCostly, 1000, 20_000, sameLeftBlocks),
  {
    name: 'one left neighbour and many right ones by HTTP, beyond the limit',
    limit: inUpdate,
    scale: { ci: 1000, full: 100_000 },
    prepare: line,
    build: (size, at) => [postUpdate(at, sameLeft(size))],
    expect: 413,
  },
  {
    name: 'one character at the same place in each of many updates, up to the limit',
    limit: inDocument,
    scale: { ci: 600, full: 3100 },
    prepare: line,
    build: (size, at) => [sendUpdates(at, manyUpdates(size))],
    expect: 'acknowledged',
  },
  {
    name: 'one character at the same place in each of many updates, beyond the limit',
    limit: inDocument,
    scale: atNight(3300),
    prepare: line,
    build: (size, at) => [sendUpdates(at, manyUpdates(size))],
    expect: refusals.tooCostly,
  },
  {
    name: 'updates of many ids at the same place, each of which goes through those before',
    limit: inDocument,
    scale: always(12),
    prepare: () => line(400),
    build: (size, at) => [
      sendUpdates(
        at,
        Array.from({ length: size }, (_, index) => sameLeftOf(index, 400)),
      ),
    ],
    // Lower ids stop at the first of a higher one.
    expect: ['acknowledged', refusals.tooCostly],
  },
  {
    name: 'two people who write at the same place without seeing each other',
    limit: 'what people do',
    scale: { ci: 1000, full: 5000 },
    prepare: () => line(10),
    build: (size, at) => [
      sendUpdates(at, [typedAt(at, hostile, size)]),
      sendUpdates(at, [typedAt(at, hostile - 1, size)], 'Nelly'),
    ],
    expect: 'acknowledged',
  },
]

/** As `sameLeft`, for the update of this number. */
function sameLeftOf(number: number, size: number): Uint8Array {
  const writer = new UpdateWriter()
  const to = writer.block(hostile - number)
  for (let index = 0; index < size; index++) {
    to.add(text('x'), { left: characterAt(0), right: characterAt(size - index) })
  }
  return writer.bytes()
}

/** A sentence typed into the middle of the paragraph, letter by letter, without seeing others. */
function typedAt({ state }: Target, client: number, size: number): Uint8Array {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  doc.clientID = client
  const before = Y.encodeStateVector(doc)
  const paragraph = doc.getXmlFragment('default').length - 1
  for (let index = 0; index < size; index++) textAt(doc, textIndex(doc, paragraph)).insert(5, 'x')
  return Y.encodeStateAsUpdate(doc, before)
}

/** Which of the two paragraphs is the long one: the server's first may stand on either side. */
function textIndex(doc: Y.Doc, last: number): number {
  return textAt(doc, last).length > 5 && textAt(doc, last).toJSON().startsWith('aa') ? last : 0
}
