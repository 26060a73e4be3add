import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow } from '@copydesk/testing'
import { findMissing } from '../../store/updates/causal-order.ts'
import { decodeUpdate } from '../../store/updates/decode-update.ts'
import { createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import { CandidateDocument } from './candidate-document.ts'

function textDoc(clientId: number, text: string): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = clientId
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText(text)])
  doc.getXmlFragment('default').insert(0, [paragraph])
  return doc
}

const blockText = (doc: Y.Doc): Y.XmlText => (doc.getXmlFragment('default').get(0) as Y.XmlElement).get(0) as Y.XmlText

function edit(doc: Y.Doc, change: (text: Y.XmlText) => void): Uint8Array {
  const before = Y.encodeStateVector(doc)
  change(blockText(doc))
  return Y.encodeStateAsUpdate(doc, before)
}

function textOf(head: CandidateDocument, base: Y.Doc): string {
  const diff = Y.encodeStateVector(base)
  return Buffer.from(head.stateVector).equals(Buffer.from(diff)) ? blockText(base).toJSON() : 'differs'
}

/** Updates that decode and have no gap, but make Yjs throw while it applies them: found by damaging valid ones. */
function updatesThatThrow(base: Y.Doc): Uint8Array[] {
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(base))
  other.clientID = 77
  const update = Y.encodeStateAsUpdate(
    other.transact(() => {
      blockText(other).insert(3, 'abc')
      const added = new Y.XmlElement('paragraph')
      added.insert(0, [new Y.XmlText('more')])
      other.getXmlFragment('default').insert(1, [added])
      return other
    }),
    Y.encodeStateVector(base),
  )
  const found: Uint8Array[] = []
  for (let position = 0; position < update.length; position++) {
    for (let value = 0; value < 256; value++) {
      const damaged = update.slice()
      damaged[position] = value
      if (isWhole(damaged, base) && throwsWhenApplied(damaged, base)) found.push(damaged)
    }
  }
  return found
}

function isWhole(update: Uint8Array, base: Y.Doc): boolean {
  try {
    return findMissing(decodeUpdate(update), (client) => Y.getState(base.store, client)) === undefined
  } catch {
    return false
  }
}

function throwsWhenApplied(update: Uint8Array, base: Y.Doc): boolean {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(base))
  try {
    Y.applyUpdate(copy, update)
    return false
  } catch {
    return true
  }
}

function headOf(state: Uint8Array): CandidateDocument {
  const doc = createVerbatimDoc()
  Y.applyUpdate(doc, state)
  return new CandidateDocument(doc)
}

test('[HEAD-1] an update is new once, then known', () => {
  const doc = textDoc(1, 'start')
  const head = headOf(Y.encodeStateAsUpdate(doc))
  const update = edit(doc, (text) => text.insert(0, 'x'))
  expect(head.try(update, false)).toMatchObject({ kind: 'new', bytes: update })
  expect(head.try(update, false)).toEqual({ kind: 'known' })
  expect(textOf(head, doc)).toBe('xstart')
})

test('[HEAD-2] a deletion alone is new once, then known', () => {
  const doc = textDoc(1, 'start')
  const head = headOf(Y.encodeStateAsUpdate(doc))
  const update = edit(doc, (text) => text.delete(0, 2))
  expect(head.try(update, false).kind).toBe('new')
  expect(head.try(update, false).kind).toBe('known')
})

test('[HEAD-3] a gap leaves no trace, whether it is in the clock, an origin or a deletion', () => {
  const doc = textDoc(1, 'start')
  const head = headOf(Y.encodeStateAsUpdate(doc))
  const missing = edit(doc, (text) => text.insert(0, 'one'))
  const later = edit(doc, (text) => text.insert(3, 'two'))
  const deletion = edit(doc, (text) => text.delete(0, 2))
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  const beside = edit(other, (text) => text.insert(2, 'three'))
  for (const update of [later, deletion, beside]) expect(head.try(update, false)).toMatchObject({ kind: 'gap' })
  for (const update of [missing, later, deletion, beside]) expect(head.try(update, false).kind).toBe('new')
})

test('[HEAD-4] bytes that are no update, or that Yjs throws on, are refused and leave no trace', () => {
  const doc = textDoc(1, 'start')
  const head = headOf(Y.encodeStateAsUpdate(doc))
  const bad = [Uint8Array.of(1, 2, 3), Uint8Array.of(), ...updatesThatThrow(doc)]
  expect(bad.length).toBeGreaterThan(4)
  expect(
    head.try(
      edit(doc, (text) => text.insert(5, '!')),
      false,
    ).kind,
  ).toBe('new')
  for (const update of bad) {
    expect(head.try(update, false).kind).toMatch(/^(invalid|refused)$/)
    expect(textOf(head, doc)).toBe('start!')
  }
  expect(
    head.try(
      edit(doc, (text) => text.insert(0, 'x')),
      false,
    ).kind,
  ).toBe('new')
})

type Replica = { doc: Y.Doc; outgoing: Uint8Array[]; incoming: Uint8Array[] }

function editAtRandom(text: Y.XmlText, random: RandomBelow): void {
  const from = random(text.length + 1)
  const length = Math.min(random(6), text.length - from)
  const kind = random(6)
  if (kind === 0) text.insert(from, 'x')
  else if (kind === 1) text.delete(from, length)
  else if (kind < 4) text.format(from, length, random(2) === 0 ? { bold: {} } : { bold: null })
}

/**
 * Three people format one text concurrently through a candidate document. Returns the text that they see and the text
 * that is loaded from the log.
 */
function formatTogether(seed: number): { seen: string; loaded: string; unlogged: number } {
  const random = seededBelow(seed)
  const base = new Y.Doc()
  base.clientID = 1
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText('some words to format here')])
  base.getXmlFragment('default').insert(0, [paragraph])
  const log = [Y.encodeStateAsUpdate(base)]
  const head = headOf(log[0]!)
  const people = [2, 3, 4].map((clientId): Replica => {
    const replica: Replica = { doc: new Y.Doc(), outgoing: [], incoming: [] }
    replica.doc.clientID = clientId
    Y.applyUpdate(replica.doc, log[0]!)
    replica.doc.on('update', (update, origin) => void (origin !== 'server' && replica.outgoing.push(update)))
    return replica
  })
  const pass = ({ doc, outgoing, incoming }: Replica): void => {
    if (random(2) === 0) {
      const received = incoming.shift()
      return received && Y.applyUpdate(doc, received, 'server')
    }
    const sent = outgoing.shift()
    const tried = sent && head.try(sent, false)
    if (!tried || tried.kind === 'known') return
    if (tried.kind !== 'new') throw new Error(tried.kind)
    log.push(tried.bytes)
    for (const { incoming: others } of people) others.push(tried.bytes)
  }
  for (let round = 0; round < 60; round++) {
    editAtRandom(blockText(people[random(3)]!.doc), random)
    for (let frames = random(4); frames > 0; frames--) pass(people[random(3)]!)
  }
  while (people.some(({ outgoing, incoming }) => outgoing.length + incoming.length > 0)) pass(people[random(3)]!)
  const loaded = new Y.Doc()
  Y.applyUpdate(loaded, Y.mergeUpdates(log))
  const kept = Y.snapshot(loaded).ds
  const structs = [...people[0]!.doc.store.clients.values()].flat()
  return {
    seen: JSON.stringify(blockText(people[0]!.doc).toDelta()),
    loaded: JSON.stringify(blockText(loaded).toDelta()),
    unlogged: structs.filter((struct) => struct.deleted && !Y.isDeleted(kept, struct.id)).length,
  }
}

test('[HEAD-5] known means that all of it is in the log: people see what a load from the log gives', () => {
  const failed: number[] = []
  for (let seed = 1; seed <= 200; seed++) {
    const { seen, loaded, unlogged } = formatTogether(seed)
    if (seen !== loaded || unlogged > 0) failed.push(seed)
  }
  expect(failed).toEqual([])
})

test('[HEAD-6] only runs write receipts; a full sync of a person may repeat them', () => {
  const run = textDoc(1, 'start')
  const head = headOf(Y.encodeStateAsUpdate(run))
  const opened = edit(run, () => run.getMap('receipts').set('r.a', 0))
  expect(head.try(opened, false).kind).toBe('new')
  const person = new Y.Doc()
  Y.applyUpdate(person, Y.encodeStateAsUpdate(run))
  person.clientID = 2
  expect(head.try(Y.encodeStateAsUpdate(person), true, { isPersons: true }).kind).toBe('known')
  edit(person, (text) => text.insert(0, 'typed '))
  expect(head.try(Y.encodeStateAsUpdate(person), true, { isPersons: true }).kind).toBe('new')
  const state = Y.encodeStateAsUpdate(person)
  const forged = [
    (doc: Y.Doc) => doc.getMap('receipts').set('r.b', 1),
    (doc: Y.Doc) => doc.getMap('receipts').delete('r.a'),
    (doc: Y.Doc) => doc.getMap('receipts').set('r.a', 1),
  ]
  for (const forge of forged) {
    for (const isFullSync of [false, true]) {
      const copy = new Y.Doc()
      Y.applyUpdate(copy, state)
      const update = edit(copy, () => forge(copy))
      const sent = isFullSync ? Y.encodeStateAsUpdate(copy) : update
      expect(head.try(sent, isFullSync, { isPersons: true })).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('runs'),
      })
      head.rebuild(state, [])
    }
  }
  Y.applyUpdate(run, state)
  expect(
    head.try(
      edit(run, () => run.getMap('receipts').delete('r.a')),
      false,
    ).kind,
  ).toBe('new')
})

test('[HEAD-8] what completes an update is whole without what completed another one, which the log may have refused', () => {
  const head = new CandidateDocument(createVerbatimDoc())
  const completed = [1, 2].map((clientId) => {
    const doc = new Y.Doc()
    doc.clientID = clientId
    doc.getXmlFragment('default').insert(0, [new Y.XmlElement('bulletList')])
    const tried = head.try(Y.encodeStateAsUpdate(doc), false)
    if (tried.kind !== 'new') throw new Error(tried.kind)
    return tried.bytes
  })
  const loaded = createVerbatimDoc()
  Y.applyUpdate(loaded, completed[1]!)
  expect(loaded.store.pendingStructs).toBeNull()
  expect(loaded.getXmlFragment('default').toString()).toMatch(/<listitem>.*<\/listitem>/i)
})
