import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { seededBelow } from '@copydesk/testing'
import { createVerbatimDoc } from './verbatim-doc.ts'
import { findMissing, ownPart } from './causal-order.ts'
import { decodeUpdate } from './decode-update.ts'

function docOf(client: number, ...updates: Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = client
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

function exchange(one: Y.Doc, other: Y.Doc): void {
  Y.applyUpdate(one, Y.encodeStateAsUpdate(other))
  Y.applyUpdate(other, Y.encodeStateAsUpdate(one))
}

const textOf = (doc: Y.Doc): Y.Text => doc.getText('t')

test("[CLIENT-7] a client's own content is accepted up to where it builds on lost content, and without deletions", () => {
  const [ana, ben] = [docOf(1), docOf(2)]
  textOf(ana).insert(0, 'known')
  exchange(ana, ben)
  const server = docOf(9, Y.encodeStateAsUpdate(ana))
  textOf(ana).insert(0, 'first ')
  textOf(ben).insert(5, ' by Ben')
  textOf(ben).delete(0, 2)
  exchange(ana, ben)
  textOf(ana).insert(textOf(ana).length, ' and Ana')
  const part = ownPart(Y.encodeStateAsUpdate(ana), server, (client) => client === 1)!
  Y.applyUpdate(server, part)
  expect(textOf(server).toJSON()).toBe('first known')
  expect(server.store.pendingStructs).toBeNull()
  expect(ownPart(Y.encodeStateAsUpdate(ben), docOf(9), (client) => client === 3)).toBeUndefined()
})

test('[CLIENT-7] of people who have seen each other’s lost words each brings their own in turn, until all is there', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const random = seededBelow(seed)
  for (let round = 0; round < 60; round++) {
    const people = [1, 2, 3].map((client) => docOf(client))
    const server = createVerbatimDoc()
    for (let turn = 0; turn < 12; turn++) {
      const doc = people[random(3)]!
      const text = textOf(doc)
      if (text.length > 2 && random(10) < 2) text.delete(random(text.length - 1), 1)
      else text.insert(random(text.length + 1), `${turn} `)
      if (random(10) < 7) exchange(people[random(3)]!, doc)
      if (turn === 4) Y.applyUpdate(server, Y.encodeStateAsUpdate(doc))
    }
    for (let visit = 0; visit < 36; visit++) {
      const doc = people[visit % 3]!
      const whole = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(server))
      const lacks = [1, 2, 3].filter((client) => Y.getState(doc.store, client) > Y.getState(server.store, client))
      const part = lacks.every((client) => client === doc.clientID)
        ? whole
        : ownPart(whole, server, (client) => client === doc.clientID)
      if (!part) continue
      expect(
        findMissing(decodeUpdate(part), (client) => Y.getState(server.store, client)),
        `seed ${seed}, round ${round}`,
      ).toBeUndefined()
      Y.applyUpdate(server, part)
    }
    for (const doc of people) exchange(people[0]!, doc)
    for (const doc of people) exchange(people[0]!, doc)
    expect(textOf(server).toJSON(), `seed ${seed}, round ${round}`).toBe(textOf(people[0]!).toJSON())
  }
})

test('[CLIENT-7] two ids of one’s own that build on each other struct by struct are taken whole', () => {
  const docs = [docOf(1), docOf(2)]
  for (let index = 0; index < 2000; index++) {
    const [writer, reader] = [docs[index % 2]!, docs[(index + 1) % 2]!]
    const before = Y.encodeStateVector(reader)
    textOf(writer).insert(textOf(writer).length, 'x')
    Y.applyUpdate(reader, Y.encodeStateAsUpdate(writer, before))
  }
  const part = ownPart(Y.encodeStateAsUpdate(docs[0]!), docOf(9), () => true)!
  expect(Y.decodeUpdate(part).structs).toHaveLength(2000)
})
