import { contentTypes } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow } from '@copydesk/testing'
import { encodeStructs, inCausalOrder } from './causal-order.ts'
import { decodeUpdate } from './decode-update.ts'
import { TrialIntegration } from './trial-integration.ts'
import { createVerbatimDoc } from './verbatim-doc.ts'

const seed = 20261122

/** An item as a struct of an update: client, clock, left and right origin, and text. */
function item(client: number, clock: number, left: Y.ID | null, right: Y.ID | null, text = 'x'): Y.Item {
  const parent = left || right ? null : contentTypes.fragment
  return new Y.Item(
    Y.createID(client, clock),
    null,
    left,
    null,
    right,
    parent as never,
    null,
    new Y.ContentString(text),
  )
}

function docOf(update: Uint8Array): Y.Doc {
  const doc = createVerbatimDoc()
  for (const root of Object.values(contentTypes)) doc.get(root)
  Y.applyUpdate(doc, update)
  return doc
}

/**
 * Applies an update and counts the items that Yjs examines to find positions: `Item.integrate` adds each to two sets.
 */
function stepsOfYjs(doc: Y.Doc, update: Uint8Array): number {
  const { integrate } = Y.Item.prototype
  const { add } = Set.prototype
  let noted = 0
  Y.Item.prototype.integrate = function (this: Y.Item, ...given: Parameters<typeof integrate>): void {
    Set.prototype.add = function <T>(this: Set<T>, value: T): Set<T> {
      if (value instanceof Y.Item) noted += 1
      return add.call(this, value) as Set<T>
    }
    integrate.apply(this, given)
    Set.prototype.add = add
  }
  try {
    Y.applyUpdate(doc, update)
  } finally {
    Y.Item.prototype.integrate = integrate
    Set.prototype.add = add
  }
  return noted / 2
}

function trialOf(doc: Y.Doc, update: Uint8Array, most = Infinity): TrialIntegration {
  const trial = new TrialIntegration(doc, most)
  const { structs } = decodeUpdate(update)
  for (const struct of inCausalOrder(structs, (client) => Y.getState(doc.store, client))) {
    if (struct.id.clock + struct.length > Y.getState(doc.store, struct.id.client)) trial.add(struct)
  }
  return trial
}

function editAtRandom(doc: Y.Doc, random: RandomBelow): void {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const kind = random(10)
  if (fragment.length === 0 || kind === 0) {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('some words')])
    return fragment.insert(random(fragment.length + 1), [paragraph])
  }
  const paragraph = fragment.get(random(fragment.length)) as Y.XmlElement
  const text = paragraph.get(0) as Y.XmlText
  if (kind === 1) return fragment.delete(random(fragment.length), 1)
  if (kind === 3) return text.format(random(text.length + 1), random(3), { bold: {} })
  if (kind === 4 && text.length > 2) return text.delete(random(text.length - 1), 2)
  return text.insert(Math.min(random(3), text.length), 'abcd'.slice(0, 1 + random(4)))
}

test(`[HEAD-10] the steps that are counted are those that Yjs takes (seed ${seed})`, () => {
  const random = seededBelow(seed)
  let inAll = 0
  for (let round = 0; round < 150; round++) {
    const base = createVerbatimDoc()
    base.clientID = 1
    for (let edit = 0; edit < 6; edit++) editAtRandom(base, random)
    const state = Y.encodeStateAsUpdate(base)
    const server = docOf(state)
    for (const client of [5, 3, 9, 4]) {
      const page = docOf(state)
      page.clientID = client
      for (let edit = random(25); edit > 0; edit--) editAtRandom(page, random)
      const update = Y.encodeStateAsUpdate(page, random(3) === 0 ? undefined : Y.encodeStateVector(base))
      const { structs } = decodeUpdate(update)
      const counted = trialOf(server, update).steps
      expect(counted, `round ${round}, ${structs.length} structs`).toBe(stepsOfYjs(server, update))
      inAll += counted
    }
  }
  expect(inAll).toBeGreaterThan(500)
})

const id = Y.createID

/** Updates that make Yjs examine the same items repeatedly, preceded by their dependencies. */
const costly: Record<string, (count: number) => [Y.Item[], Y.Item[]]> = {
  'many at one place with others between': (count) => [
    Array.from({ length: count }, (_, at) => item(9, at, id(1, 4), at === 0 ? null : id(9, at - 1))),
    Array.from({ length: count }, (_, at) => item(8, at, id(1, 4), id(9, at))),
  ],
  'many clients at one place with others between': (count) => [
    Array.from({ length: count }, (_, at) => item(9, at, id(1, 4), at === 0 ? null : id(9, at - 1))),
    Array.from({ length: count }, (_, at) => item(1000 + at, 0, id(1, 4), id(9, 0))),
  ],
  'each behind a letter of a word that has gone on': (count) => [
    [item(5, 0, id(1, 4), null, 'x'.repeat(count))],
    Array.from({ length: count - 1 }, (_, at) => item(9, at, id(5, count - 2 - at), null)),
  ],
}

function startWith(items: Y.Item[]): Y.Doc {
  return docOf(encodeStructs([item(1, 0, null, null, 'start'), ...items]))
}

test.each(Object.keys(costly))('[HEAD-10] %s: counted like Yjs, and refused before it is paid', (name) => {
  const [base, items] = costly[name]!(300)
  const update = encodeStructs(items)
  const steps = trialOf(startWith(base), update).steps
  expect(steps).toBe(stepsOfYjs(startWith(base), update))
  expect(steps).toBeGreaterThan(20_000)
  const [largeBase, large] = costly[name]!(5000)
  expect(() => trialOf(startWith(largeBase), encodeStructs(large), 200_000)).toThrow('more than 200000 steps')
})

test('[HEAD-10] values of one key, one after another without naming the one before, are counted', () => {
  const overwrite = (at: number): Y.Item =>
    new Y.Item(id(9, at), null, null, null, null, contentTypes.meta as never, 'title', new Y.ContentAny([`${at}`]))
  const update = encodeStructs(Array.from({ length: 300 }, (_, at) => overwrite(at)))
  expect(trialOf(startWith([]), update).steps).toBeGreaterThan((300 * 299) / 2)
})
