import { afterEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow } from '@copydesk/testing'
import { createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import type { FindOwnership } from './check-update.ts'
import { CandidateDocument, type TriedUpdate } from './candidate-document.ts'
import { PlainTyping } from './plain-typing.ts'

afterEach(() => void vi.restoreAllMocks())

const seeds = Number(process.env['SEEDS'] ?? 30)
const nothing = Y.encodeStateAsUpdate(new Y.Doc())

function headOf(state: Uint8Array): CandidateDocument {
  const doc = createVerbatimDoc()
  Y.applyUpdate(doc, state)
  return new CandidateDocument(doc)
}

function textsOf(doc: Y.Doc): Y.XmlText[] {
  const blocks = doc.getXmlFragment('default').toArray() as Y.XmlElement[]
  return blocks.map((block) => block.get(0)).filter((text) => text instanceof Y.XmlText)
}

function paragraph(text: string): Y.XmlElement {
  const block = new Y.XmlElement('paragraph')
  block.insert(0, [new Y.XmlText(text)])
  return block
}

/** A random edit: mostly typing, sometimes anything else. */
function editAtRandom(doc: Y.Doc, random: RandomBelow): void {
  const fragment = doc.getXmlFragment('default')
  const texts = textsOf(doc)
  if (texts.length === 0) return fragment.insert(0, [paragraph('again')])
  const text = texts[random(texts.length)]!
  const from = random(text.length + 1)
  const length = Math.min(random(4), text.length - from)
  switch (random(14)) {
    case 0:
      return text.delete(from, length)
    case 1:
      return text.format(from, length, random(100) < 50 ? { bold: {} } : { bold: null })
    case 2:
      return text.format(from, length, { insertion: { id: `s${random(3)}` } })
    case 3:
      return fragment.insert(random(fragment.length + 1), [paragraph('another')])
    case 4:
      return fragment.length > 1 ? fragment.delete(random(fragment.length), 1) : undefined
    case 5:
      return text.insert(from, '😀', random(100) < 50 ? { bold: {} } : {})
    default:
      return text.insert(random(100) < 70 ? text.length : from, ['a', 'bc', ' ', 'é'][random(4)]!)
  }
}

/**
 * Updates of three people in the order in which a server receives them: repeated, with gaps, and also under ids of
 * others.
 */
function* play(seed: number, state: Uint8Array): Generator<{ update: Uint8Array; ownershipOf: FindOwnership }> {
  const random = seededBelow(seed)
  const people = [2, 3, 4].map((clientID) => {
    const doc = new Y.Doc()
    doc.clientID = clientID
    Y.applyUpdate(doc, state)
    const outgoing: Uint8Array[] = []
    doc.on('update', (update: Uint8Array, origin: unknown) => void (origin !== 'server' && outgoing.push(update)))
    return { doc, outgoing }
  })
  const ownershipOf =
    (own: number): FindOwnership =>
    (client, isKnown) =>
      client === own ? (isKnown ? 'own' : 'free') : isKnown ? 'taken' : 'unknown'
  for (let step = 0; step < 80; step++) {
    const { doc, outgoing } = people[random(people.length)]!
    editAtRandom(doc, random)
    while (outgoing.length > 0) {
      const update = outgoing.shift()!
      if (random(100) < 1) continue
      yield { update, ownershipOf: ownershipOf(random(100) < 2 ? 9 : doc.clientID) }
      if (random(100) < 5) yield { update, ownershipOf: ownershipOf(doc.clientID) }
      for (const other of people) if (random(100) < 70) Y.applyUpdate(other.doc, update, 'server')
    }
  }
}

function withoutWork(tried: TriedUpdate): TriedUpdate {
  return 'work' in tried ? { ...tried, work: 0 } : tried
}

test('[HEAD-7] letters are found to be what a look at the whole update finds, and the document is the same', () => {
  const kept = vi.spyOn(PlainTyping.prototype, 'keep')
  const kinds = new Map<string, number>()
  for (let seed = 1; seed <= seeds; seed++) {
    const base = new Y.Doc()
    base.clientID = 1
    base.getXmlFragment('default').insert(0, [paragraph('some words'), paragraph('and more of them')])
    const state = Y.encodeStateAsUpdate(base)
    const [head, thorough] = [headOf(state), headOf(state)]
    const taken = [state]
    for (const { update, ownershipOf } of play(seed, state)) {
      // `apply` resets the candidate document's knowledge of its texts.
      thorough.apply(nothing)
      const [found, wanted] = [head, thorough].map((each) =>
        each.try(update, false, { isPersons: true, ownershipOf }),
      ) as [TriedUpdate, TriedUpdate]
      expect(withoutWork(found), `seed ${seed}`).toEqual(withoutWork(wanted))
      kinds.set(found.kind, (kinds.get(found.kind) ?? 0) + 1)
      if (found.kind === 'new') taken.push(found.bytes)
      else if (found.kind !== 'gap' && found.kind !== 'known')
        for (const each of [head, thorough]) each.rebuild(state, taken)
    }
    const loaded = new Y.Doc()
    for (const update of taken) Y.applyUpdate(loaded, update)
    const vectors = [head.stateVector, thorough.stateVector, Y.encodeStateVector(loaded)]
    expect(vectors[0], `seed ${seed}`).toEqual(vectors[1])
    expect(
      new Set(vectors.map((vector) => JSON.stringify([...Y.decodeStateVector(vector)].toSorted(([a], [b]) => a - b))))
        .size,
    ).toBe(1)
  }
  const asLetters = kept.mock.results.filter(({ value }) => value === true).length
  expect(asLetters).toBeGreaterThan(seeds * 5)
  for (const kind of ['new', 'known', 'gap', 'refused']) expect(kinds.get(kind), kind).toBeGreaterThan(0)
})

test('[HEAD-7] letters into a text that is deleted meanwhile, or next to two texts at once, get the full check', () => {
  const base = new Y.Doc()
  base.clientID = 2
  base.getXmlFragment('default').insert(0, [paragraph('one'), paragraph('two')])
  const head = headOf(Y.encodeStateAsUpdate(base))
  const edit = (doc: Y.Doc, change: () => void): Uint8Array => {
    const before = Y.encodeStateVector(doc)
    change()
    return Y.encodeStateAsUpdate(doc, before)
  }
  const kept = vi.spyOn(PlainTyping.prototype, 'keep')
  const [first, second] = textsOf(base) as [Y.XmlText, Y.XmlText]
  for (const text of [first, second, first, second]) {
    head.try(
      edit(base, () => text.insert(text.length, 'x')),
      false,
    )
  }
  // The first check of each text finds that it is plain; one client's letters are kept for one text at a time.
  expect(kept.mock.results.map(({ value }) => value as boolean)).toEqual([false, false, true, false])
  const other = new Y.Doc()
  other.clientID = 3
  Y.applyUpdate(other, Y.encodeStateAsUpdate(base))
  const late = edit(other, () => textsOf(other)[0]!.insert(4, 'late'))
  expect(
    head.try(
      edit(base, () => base.getXmlFragment('default').delete(0, 1)),
      false,
    ).kind,
  ).toBe('new')
  expect(head.try(late, false)).toMatchObject({ kind: 'new', clients: [] })
  expect(kept.mock.results.at(-1)?.value).toBe(false)
})
