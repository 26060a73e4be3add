import { UPDATE_LIMITS } from '@copydesk/protocol'
import * as encoding from 'lib0/encoding'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { seededBelow } from '@copydesk/testing'
import { scanUpdate } from './scan-update.ts'

/** Writes an update by hand. */
function updateOf(write: (encoder: encoding.Encoder) => void): Uint8Array {
  const encoder = encoding.createEncoder()
  write(encoder)
  return encoding.toUint8Array(encoder)
}

const numbers =
  (...values: number[]) =>
  (encoder: encoding.Encoder): void => {
    for (const value of values) encoding.writeVarUint(encoder, value)
  }

function written(): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = 1
  const fragment = doc.getXmlFragment('default')
  const paragraph = new Y.XmlElement('paragraph')
  fragment.insert(0, [paragraph, new Y.XmlElement('horizontalRule')])
  paragraph.insert(0, [new Y.XmlText('some words')])
  paragraph.setAttribute('threads', 'a b')
  const text = paragraph.get(0) as Y.XmlText
  text.format(2, 4, { link: { href: 'https://example.org', title: null }, bold: {} })
  text.insertEmbed(1, { a: 'thing' })
  doc.getMap('meta').set('title', { a: [1, 2.5, 2n ** 60n, null, undefined, true, 'text', Uint8Array.of(1, 2)] })
  doc.getArray<unknown>('list').push([Uint8Array.of(1), 1, 'two'])
  text.delete(3, 3)
  return doc
}

test('[BAD-100] what an update holds is counted as it is decoded', () => {
  const doc = written()
  const update = Y.encodeStateAsUpdate(doc)
  const { structs, ds } = Y.decodeUpdate(update)
  const ranges = [...ds.clients.values()].flat().length
  expect(scanUpdate(update)).toEqual({
    clients: [1],
    structs: structs.length,
    ranges,
    roots: new Set(['default', 'meta', 'list']),
  })
  expect(scanUpdate(Uint8Array.of(0, 0))).toEqual({ clients: [], structs: 0, ranges: 0, roots: new Set() })
})

test('[BAD-100] of damaged updates none is counted otherwise than it is decoded', () => {
  const update = Y.encodeStateAsUpdate(written())
  const random = seededBelow(20261122)
  let counted = 0
  for (let round = 0; round < 20_000; round++) {
    const damaged = update.slice()
    for (let at = 1 + random(3); at > 0; at--) damaged[random(damaged.length)] = random(256)
    let scan
    try {
      scan = scanUpdate(damaged)
    } catch {
      continue
    }
    let decoded
    try {
      decoded = Y.decodeUpdate(damaged)
    } catch {
      // Invalid JSON is detected when it is decoded.
      continue
    }
    expect(scan.structs).toBe(decoded.structs.length)
    counted += 1
  }
  expect(counted).toBeGreaterThan(1000)
})

test.each([
  ['bytes behind its end', updateOf(numbers(0, 0, 0))],
  ['several blocks of one client id', updateOf(numbers(2, 1, 7, 0, 0, 1, 1, 7, 1, 0, 1, 0))],
  ['client ids out of order', updateOf(numbers(2, 1, 7, 0, 0, 1, 1, 8, 0, 0, 1, 0))],
  ['an empty block', updateOf(numbers(1, 0, 7, 0, 0))],
  ['more blocks than bytes', updateOf(numbers(2 ** 40, 0))],
  ['more structs than bytes', updateOf(numbers(1, 2 ** 40, 7, 0))],
  ['a clock beyond 2^32', updateOf(numbers(1, 1, 7, 2 ** 33, 0, 1, 0))],
  ['a length beyond 2^32', updateOf(numbers(1, 1, 7, 0, 0, 2 ** 33, 0))],
  ['deleted ranges that overlap', updateOf(numbers(0, 1, 7, 2, 0, 5, 4, 5))],
  ['deleted ranges out of order', updateOf(numbers(0, 1, 7, 2, 9, 1, 0, 1))],
  ['two lists of deletions of one client id', updateOf(numbers(0, 2, 7, 1, 0, 1, 7, 1, 5, 1))],
  ['a sub-document', Uint8Array.of(1, 1, 7, 0, 9 | 128, 1, 0, 1, 97, 118, 0, 0)],
])('[BAD-101] %s is no update', (_what, update) => {
  expect(() => scanUpdate(update)).toThrow(RangeError)
})

test('[BAD-101] nor are values nested without end, which would exhaust the stack of who decodes them', () => {
  const update = updateOf((encoder) => {
    numbers(1, 1, 7, 0)(encoder)
    encoding.writeUint8(encoder, 8)
    numbers(1)(encoder)
    encoding.writeVarString(encoder, 'meta')
    numbers(1)(encoder)
    for (let depth = 0; depth < 100_000; depth++) encoding.writeUint8Array(encoder, Uint8Array.of(117, 1))
    encoding.writeUint8Array(encoder, Uint8Array.of(126, 0))
  })
  expect(() => scanUpdate(update)).toThrow('nested too deep')
})

/** An update with a text and a mark whose value is this JSON. */
function marked(value: string): Uint8Array {
  return updateOf((encoder) => {
    numbers(1, 1, 7, 0)(encoder)
    encoding.writeUint8(encoder, 6)
    numbers(1)(encoder)
    for (const each of ['default', 'link', value]) encoding.writeVarString(encoder, each)
    numbers(0)(encoder)
  })
}

test('[BAD-101] the values of marks are counted as they nest, without being built', () => {
  const brackets = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  expect(scanUpdate(marked(JSON.stringify({ href: `a"\\${'['.repeat(1000)}`, list: [[[1, 2]]] }))).structs).toBe(1)
  expect(scanUpdate(marked(`{"a":${brackets(15)}}`)).structs).toBe(1)
  expect(() => scanUpdate(marked(`{"a":${brackets(16)}}`))).toThrow('nested too deep')
  expect(() => scanUpdate(marked(`[${'[],'.repeat(UPDATE_LIMITS.values / 2)}1]`))).toThrow('more than 1000000 values')
})

test('[BAD-102] counting stops at a limit', () => {
  const roots = new Y.Doc()
  for (let count = 0; count < 100; count++) roots.getMap(`root ${count}`).set('a', 1)
  expect(scanUpdate(Y.encodeStateAsUpdate(roots)).roots.size).toBe(9)
  const structs = updateOf((encoder) => {
    numbers(1, UPDATE_LIMITS.structs + 1, 7, 0)(encoder)
    encoding.writeUint8Array(encoder, new Uint8Array(2 * (UPDATE_LIMITS.structs + 1)))
  })
  expect(() => scanUpdate(structs)).toThrow(`more than ${UPDATE_LIMITS.structs} structs`)
  const ranges = updateOf((encoder) => {
    numbers(0, 1, 7, UPDATE_LIMITS.deletedRanges + 1)(encoder)
    encoding.writeUint8Array(encoder, new Uint8Array(2 * (UPDATE_LIMITS.deletedRanges + 1)))
  })
  expect(() => scanUpdate(ranges)).toThrow(`more than ${UPDATE_LIMITS.deletedRanges} deleted ranges`)
  const values = updateOf((encoder) => {
    numbers(1, 1, 7, 0)(encoder)
    encoding.writeUint8(encoder, 8)
    numbers(1)(encoder)
    encoding.writeVarString(encoder, 'meta')
    numbers(UPDATE_LIMITS.values + 1)(encoder)
    encoding.writeUint8Array(encoder, new Uint8Array(UPDATE_LIMITS.values + 1).fill(126))
    numbers(0)(encoder)
  })
  expect(() => scanUpdate(values)).toThrow(`more than ${UPDATE_LIMITS.values} values`)
})
