import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow } from '@copydesk/testing'
import { decodeUpdate } from './decode-update.ts'
import { divideUpdate } from './divide-update.ts'
import { applyInSlices, encodeInSlices, sliceSizes } from './time-slicing.ts'

const fragmentOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment('default')

function paragraph(letters: number): Y.XmlElement {
  const block = new Y.XmlElement('paragraph')
  block.insert(0, [new Y.XmlText('word '.repeat(letters / 5))])
  return block
}

function docOf(client: number): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = client
  return doc
}

function bring(from: Y.Doc, to: Y.Doc): void {
  Y.applyUpdate(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(to)))
}

/** Makes a random edit, as users do. */
function edit(doc: Y.Doc, random: RandomBelow): void {
  const fragment = fragmentOf(doc)
  const block = fragment.length > 0 ? fragment.get(random(fragment.length)) : undefined
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  const kind = random(12)
  if (!(text instanceof Y.XmlText) || kind === 0) {
    fragment.insert(random(fragment.length + 1), [paragraph(5 + random(54_000))])
  } else if (kind === 1 && fragment.length > 3) fragment.delete(random(fragment.length), 1)
  else if (kind < 4) text.delete(random(text.length + 1) >> 1, Math.min(random(40), text.length >> 1))
  else if (kind < 6)
    text.format(random(text.length + 1) >> 1, text.length >> 1, { bold: random(2) === 0 ? true : null })
  else if (kind < 7) doc.getMap('meta').set(`key ${random(5)}`, { at: random(100) })
  else text.insert(random(text.length + 1), `<${random(1000)}>`)
}

function write(people: readonly Y.Doc[], edits: number, random: RandomBelow): void {
  for (let turn = 0; turn < edits; turn++) {
    const one = people[random(people.length)]!
    edit(one, random)
    if (random(3) === 0) bring(one, people[random(people.length)]!)
  }
}

function expectSame(one: Y.Doc, other: Y.Doc): void {
  expect(one.store.pendingStructs).toBeNull()
  expect(one.store.pendingDs).toBeNull()
  expect(Y.equalSnapshots(Y.snapshot(one), Y.snapshot(other))).toBe(true)
  expect(fragmentOf(one).toString()).toBe(fragmentOf(other).toString())
  expect(one.getMap('meta').toJSON()).toEqual(other.getMap('meta').toJSON())
}

/** Runs `step` repeatedly between the slices of the operation. */
async function meanwhile<T>(going: Promise<T>, step: () => void): Promise<{ value: T; turns: number }> {
  let turns = 0
  let isOver = false
  const next = (): void => {
    if (isOver) return
    turns++
    step()
    setImmediate(next)
  }
  setImmediate(next)
  const value = await going.finally(() => (isOver = true))
  return { value, turns }
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

test(`[LOG-33] a state encoded in turns and the updates written meanwhile are the whole document (seed ${seed})`, async () => {
  const random = seededBelow(seed)
  let turnsInAll = 0
  for (let round = 0; round < 12; round++) {
    const people = [1, 2, 3].map(docOf)
    const [doc, ...others] = people as [Y.Doc, ...Y.Doc[]]
    write(people, 60, random)
    const earlier = docOf(8)
    bring(doc, earlier)
    write(people, 60, random)
    for (const other of others) bring(other, doc)
    for (const reader of [docOf(9), earlier]) {
      const told: Uint8Array[] = []
      const tell = (update: Uint8Array): void => void told.push(update)
      doc.on('update', tell)
      const encoding = encodeInSlices(doc, Y.encodeStateVector(reader))
      const { value, turns } = await meanwhile(encoding, () => {
        edit(others[0]!, random)
        bring(others[0]!, doc)
        edit(doc, random)
      })
      doc.off('update', tell)
      turnsInAll += turns
      // Updates are also broadcast while the document is being sent.
      const early = random(told.length + 1)
      for (const update of told.slice(0, early)) Y.applyUpdate(reader, update)
      Y.applyUpdate(reader, value)
      for (const update of told.slice(early)) Y.applyUpdate(reader, update)
      expectSame(reader, doc)
    }
  }
  expect(turnsInAll).toBeGreaterThan(12)
})

test('[LOG-33] what is encoded in turns is what Yjs encodes, if nobody writes', async () => {
  const random = seededBelow(seed)
  const people = [1, 2, 3].map(docOf)
  write(people, 100, random)
  for (const doc of people) {
    const encoded = await encodeInSlices(doc, Uint8Array.of(0))
    expect(decodeUpdate(encoded)).toEqual(decodeUpdate(Y.encodeStateAsUpdate(doc)))
  }
})

test('[LOG-33] a document that holds something back is encoded with it', async () => {
  const [writer, doc] = [docOf(1), docOf(2)]
  edit(writer, () => 0)
  const before = Y.encodeStateVector(writer)
  edit(writer, () => 0)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(writer, before))
  expect(doc.store.pendingStructs).not.toBeNull()
  const [whole, rest] = [Y.encodeStateAsUpdate(doc), Y.encodeStateAsUpdate(writer)]
  expect(await applyInSlices(docOf(4), [[whole], [rest]])).toBe(false)
  const reader = docOf(3)
  Y.applyUpdate(reader, await encodeInSlices(doc, Uint8Array.of(0)))
  bring(writer, reader)
  expectSame(reader, writer)
})

test(`[LOG-33] each part of an update builds only on those before it, and together they are the whole (seed ${seed})`, () => {
  const random = seededBelow(seed)
  for (let round = 0; round < 12; round++) {
    const people = [1, 2, 3].map(docOf)
    const doc = people[0]!
    write(people, 40, random)
    const reader = docOf(9)
    bring(doc, reader)
    write(people, 80, random)
    for (const other of people) bring(other, doc)
    for (const update of [Y.encodeStateAsUpdate(doc, Y.encodeStateVector(reader)), Y.encodeStateAsUpdate(doc)]) {
      const parts = divideUpdate(update, 4000)
      expect(parts.length).toBeGreaterThan(1)
      for (const part of parts) {
        Y.applyUpdate(reader, part)
        expect(reader.store.pendingStructs).toBeNull()
        expect(reader.store.pendingDs).toBeNull()
      }
      expectSame(reader, doc)
    }
  }
})

test('[LOG-33] an update with gaps stays whole, and one that only deletes too', () => {
  const writer = docOf(1)
  const updates: Uint8Array[] = []
  writer.on('update', (update: Uint8Array) => void updates.push(update))
  for (const text of ['one', 'two', 'three']) writer.getText('t').insert(0, text)
  const gap = Y.mergeUpdates([updates[0]!, updates[2]!])
  expect(divideUpdate(gap, 1)).toEqual([gap])
  writer.getText('t').delete(0, 4)
  const [deletion, ...rest] = divideUpdate(updates[3]!, 1)
  expect([deletion, rest]).toEqual([updates[3], []])
})

test('[LOG-33] others have their turns while a large document is read and encoded, whatever it holds', async () => {
  const written = {
    'long paragraphs by one': (doc: Y.Doc) => fragmentOf(doc).push(Array.from({ length: 3000 }, () => paragraph(500))),
    'large attributes': (doc: Y.Doc) =>
      fragmentOf(doc).push(
        Array.from({ length: 500 }, (_, index) => {
          const image = new Y.XmlElement('image')
          image.setAttribute('alt', `${index} `.repeat(1000))
          return image
        }),
      ),
    'a little by each of many': (doc: Y.Doc) => {
      for (let client = 1; client <= 2000; client++) {
        doc.clientID = client
        fragmentOf(doc).push([paragraph(400)])
      }
    },
    'what is deleted': (doc: Y.Doc) => {
      for (let at = 0; at < 100_000; at++) doc.getText('t').insert(at % 2, 'ab')
      doc.getText('t').delete(1, 199_998)
    },
  }
  for (const [what, fill] of Object.entries(written)) {
    const writer = docOf(1)
    writer.transact(() => fill(writer))
    const whole = Y.encodeStateAsUpdate(writer)
    const doc = docOf(99)
    const parts = divideUpdate(whole, sliceSizes.bytes)
    const read = await meanwhile(
      applyInSlices(
        doc,
        parts.map((part) => [part]),
      ),
      () => undefined,
    )
    expect(read.value).toBe(true)
    const encoded = await meanwhile(encodeInSlices(doc, Uint8Array.of(0)), () => undefined)
    const due = Math.floor(whole.byteLength / sliceSizes.bytes)
    // Not many more slices than the work needs.
    for (const { turns } of [read, encoded]) {
      expect(turns, what).toBeGreaterThan(due / 2)
      expect(turns, what).toBeLessThan(due * 2 + 5)
    }
    const reader = docOf(98)
    Y.applyUpdate(reader, encoded.value)
    expectSame(reader, writer)
  }
})

test('[LOG-33] clients that wait for large documents are served one after the other; a client that left is skipped', async () => {
  const doc = docOf(1)
  fragmentOf(doc).push(Array.from({ length: 1000 }, () => paragraph(500)))
  const leaving = new AbortController()
  const left = encodeInSlices(doc, Uint8Array.of(0), leaving.signal)
  const staying = Array.from({ length: 5 }, () => encodeInSlices(doc, Uint8Array.of(0)))
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  const { turns } = await meanwhile(Promise.all(staying), () => undefined)
  const due = Math.floor(Y.encodeStateAsUpdate(doc).byteLength / sliceSizes.bytes)
  expect(turns).toBeGreaterThan(5 * (due - 2))
})

test('[HEAD-9] an update in which a client id has several blocks, or an empty one, is none', () => {
  const updates = [1, 2].map((client) => {
    const doc = docOf(client)
    doc.getText('t').insert(0, `by ${client}`)
    return Y.encodeStateAsUpdate(doc)
  })
  const blocks = updates.map((update) => update.subarray(1, -1))
  const [one, two] = blocks as [Uint8Array, Uint8Array]
  const empty = Uint8Array.of(0, 1, 0)
  const updateOf = (...parts: Uint8Array[]): Uint8Array =>
    Buffer.concat([[parts.length], ...parts, [0]].map(Buffer.from))
  expect(decodeUpdate(updateOf(two, one)).structs).toHaveLength(2)
  for (const parts of [[one, one], [one, two, one], [one, empty], [one, empty, two], [empty]]) {
    expect(() => Y.decodeUpdate(updateOf(...parts))).not.toThrow()
    expect(() => decodeUpdate(updateOf(...parts))).toThrow('several blocks')
    expect(() => divideUpdate(updateOf(...parts), 10)).toThrow('several blocks')
  }
})
