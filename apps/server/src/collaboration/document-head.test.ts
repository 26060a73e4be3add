import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { isComplete } from './causality.ts'
import { DocumentHead } from './document-head.ts'

function textDoc(clientId: number, text: string): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = clientId
  doc.getText('t').insert(0, text)
  return doc
}

function edit(doc: Y.Doc, change: (text: Y.Text) => void): Uint8Array {
  const before = Y.encodeStateVector(doc)
  change(doc.getText('t'))
  return Y.encodeStateAsUpdate(doc, before)
}

function textOf(head: DocumentHead, base: Y.Doc): string {
  const diff = Y.encodeStateVector(base)
  return Buffer.from(head.stateVector).equals(Buffer.from(diff)) ? base.getText('t').toJSON() : 'differs'
}

/** Updates that decode and are whole, but on which Yjs throws while it applies them: found by damaging good ones. */
function updatesThatThrow(base: Y.Doc): Uint8Array[] {
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(base))
  other.clientID = 77
  const update = Y.encodeStateAsUpdate(
    other.transact(() => (other.getText('t').insert(3, 'abc'), other)),
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
    return isComplete(update, base)
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

test('[HEAD-1] an update is new once, then known', () => {
  const doc = textDoc(1, 'start')
  const head = new DocumentHead(Y.encodeStateAsUpdate(doc))
  const update = edit(doc, (text) => text.insert(0, 'x'))
  expect(head.try(update, false)).toMatchObject({ kind: 'new', bytes: update })
  expect(head.try(update, false)).toEqual({ kind: 'known' })
  expect(textOf(head, doc)).toBe('xstart')
})

test('[HEAD-2] a deletion alone is new once, then known', () => {
  const doc = textDoc(1, 'start')
  const head = new DocumentHead(Y.encodeStateAsUpdate(doc))
  const update = edit(doc, (text) => text.delete(0, 2))
  expect(head.try(update, false).kind).toBe('new')
  expect(head.try(update, false).kind).toBe('known')
})

test('[HEAD-3] a gap leaves no trace, whether it is in the clock, an origin or a deletion', () => {
  const doc = textDoc(1, 'start')
  const head = new DocumentHead(Y.encodeStateAsUpdate(doc))
  const missing = edit(doc, (text) => text.insert(0, 'one'))
  const later = edit(doc, (text) => text.insert(3, 'two'))
  const deletion = edit(doc, (text) => text.delete(0, 2))
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  const beside = edit(other, (text) => text.insert(2, 'three'))
  for (const update of [later, deletion, beside]) expect(head.try(update, false)).toEqual({ kind: 'gap' })
  for (const update of [missing, later, deletion, beside]) expect(head.try(update, false).kind).toBe('new')
})

test('[HEAD-4] bytes that are no update, or that Yjs throws on, are refused and the head works on after a rebuild', () => {
  const doc = textDoc(1, 'start')
  const state = Y.encodeStateAsUpdate(doc)
  const head = new DocumentHead(state)
  const bad = [Uint8Array.of(1, 2, 3), Uint8Array.of(), ...updatesThatThrow(doc)]
  expect(bad.length).toBeGreaterThan(2)
  const inFlight = edit(doc, (text) => text.insert(5, '!'))
  expect(head.try(inFlight, false).kind).toBe('new')
  for (const update of bad) {
    expect(head.try(update, false).kind).toBe('invalid')
    head.rebuild(state, [inFlight])
    expect(textOf(head, doc)).toBe('start!')
  }
  expect(
    head.try(
      edit(doc, (text) => text.insert(0, 'x')),
      false,
    ).kind,
  ).toBe('new')
})

test('[HEAD-5] known means that everything of it has gone into the log: the head itself changes nothing', () => {
  const base = textDoc(1, 'some words')
  const state = Y.encodeStateAsUpdate(base)
  const head = new DocumentHead(state)
  const logged = [state]
  const [a, b] = [new Y.Doc(), new Y.Doc()]
  for (const doc of [a, b]) Y.applyUpdate(doc, state)
  const updates = [a, b].map((doc) => edit(doc, (text) => text.format(5, 5, { bold: true })))
  // A client that receives the other's formatting deletes what has become redundant and sends that.
  a.on('update', (update: Uint8Array) => updates.push(update))
  Y.applyUpdate(a, updates[1]!)
  for (const update of updates) {
    const tried = head.try(update, false)
    if (tried.kind === 'new') logged.push(tried.bytes)
  }
  const loaded = new Y.Doc()
  Y.applyUpdate(loaded, Y.mergeUpdates(logged))
  const kept = Y.snapshot(loaded).ds
  for (const structs of a.store.clients.values()) {
    for (const struct of structs) if (struct.deleted) expect(Y.isDeleted(kept, struct.id)).toBe(true)
  }
})
