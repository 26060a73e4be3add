import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { seededBelow } from '@copydesk/testing'
import { fragmentOf } from '../../testing/log-scene.ts'
import type { DecodedUpdate } from './decode-update.ts'
import { countDeleted, divideDeletions } from './divide-deletions.ts'

/** Two people's copies of a document with nested blocks, some of which are already deleted. */
function twoCopies(seed: number): [Y.Doc, Y.Doc] {
  const random = seededBelow(seed)
  const docs: [Y.Doc, Y.Doc] = [new Y.Doc(), new Y.Doc()]
  for (const [index, doc] of docs.entries()) doc.clientID = index + 1
  const meet = (): void => {
    for (const [one, other] of [docs, docs.toReversed()]) {
      if (one && other) Y.applyUpdate(other, Y.encodeStateAsUpdate(one, Y.encodeStateVector(other)))
    }
  }
  for (let round = 0; round < 60; round++) {
    const doc = docs[random(2)] ?? docs[0]
    let at: Y.XmlFragment = fragmentOf(doc)
    while (at.length > 0 && random(3) > 0) {
      const inside: unknown = at.get(random(at.length))
      if (inside instanceof Y.XmlText) break
      if (inside instanceof Y.XmlElement) at = inside
    }
    if (random(4) === 0 && at.length > 2) at.delete(random(at.length - 1), 1)
    else {
      const block = new Y.XmlElement(random(2) === 0 ? 'blockquote' : 'paragraph')
      block.setAttribute('threads', `t${round}`)
      const text = new Y.XmlText('words of a paragraph')
      at.insert(random(at.length + 1), [block])
      block.insert(0, [text])
      if (random(2) === 0) text.format(2, 5, { bold: {} })
      if (random(2) === 0) text.delete(3, 6)
    }
    if (random(5) === 0) meet()
  }
  meet()
  return docs
}

function deletionBy(doc: Y.Doc, deletion: () => void): DecodedUpdate['ds'] {
  const before = Y.encodeStateVector(doc)
  doc.transact(deletion)
  return Y.decodeUpdate(Y.encodeStateAsUpdate(doc, before)).ds
}

const deletedIn = (doc: Y.Doc): [number, object[]][] =>
  [...Y.createDeleteSetFromStructStore(doc.store).clients].sort(([one], [other]) => one - other)

test('[BAD-103] deletions in parts are what they are at once, and no part deletes more than it may', () => {
  let parts = 0
  for (let seed = 0; seed < 100; seed++) {
    const [whole, divided] = twoCopies(seed)
    const random = seededBelow(seed)
    const fragment = fragmentOf(whole)
    const from = random(Math.max(1, fragment.length - 1))
    const ds = deletionBy(whole, () => fragment.delete(from, 1 + random(fragment.length - from)))
    const most = 1 + random(7)
    const all = countDeleted(ds, divided, Infinity)
    const updates = divideDeletions(ds, divided, most)
    expect(updates).toHaveLength(Math.ceil(all / most))
    for (const update of updates) {
      const part = Y.decodeUpdate(update).ds
      expect(countDeleted(part, divided, Infinity)).toBeLessThanOrEqual(most)
      Y.applyUpdate(divided, update)
    }
    parts += updates.length
    expect(fragmentOf(divided).toJSON()).toBe(fragment.toJSON())
    expect(deletedIn(divided)).toEqual(deletedIn(whole))
  }
  expect(parts).toBeGreaterThan(300)
})

test('[BAD-103] what an element holds is counted with it, up to a limit', () => {
  const [doc] = twoCopies(7)
  const block = new Y.XmlElement('blockquote')
  fragmentOf(doc).insert(0, [block])
  block.insert(
    0,
    Array.from({ length: 50 }, () => new Y.XmlElement('paragraph')),
  )
  const { client, clock } = block._item?.id ?? { client: 0, clock: 0 }
  const ds = Y.createDeleteSet()
  ds.clients.set(client, [{ clock, len: 1 }])
  expect(countDeleted(ds, doc, Infinity)).toBe(51)
  expect(countDeleted(ds, doc, 20)).toBe(21)
  expect(divideDeletions(ds, doc, 20)).toHaveLength(3)
})

test('[BAD-103] to delete a whole document takes Yjs one pass, and not a move of all that follows for each block', () => {
  const [one, other] = [new Y.Doc(), new Y.Doc()]
  const blocks = 2000
  fragmentOf(one).insert(
    0,
    Array.from({ length: blocks }, () => {
      const block = new Y.XmlElement('paragraph')
      block.insert(0, [new Y.XmlText('words')])
      return block
    }),
  )
  Y.applyUpdate(other, Y.encodeStateAsUpdate(one))
  const before = Y.encodeStateVector(one)
  fragmentOf(one).delete(0, blocks)
  const update = Y.encodeStateAsUpdate(one, before)
  const structs = other.store.clients.get(one.clientID) ?? []
  let splices = 0
  structs.splice = (...args: Parameters<typeof structs.splice>) => {
    splices += 1
    return Array.prototype.splice.apply(structs, args)
  }
  Y.applyUpdate(other, update)
  expect(structs).toHaveLength(2 * blocks)
  expect(splices).toBeLessThan(10)
})
