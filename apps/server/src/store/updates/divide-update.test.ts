import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { divideFor, divideUpdate } from './divide-update.ts'

const columns = 4

function element(name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name)
  made.insert(0, children)
  return made
}

/** A table as an editor pastes it, in one transaction. */
function tableOf(rows: number): Uint8Array {
  const doc = new Y.Doc()
  const cell = (text: string) => {
    const made = element('tableCell', element('paragraph', new Y.XmlText(text)))
    made.setAttribute('align', 'left')
    return made
  }
  const row = (at: number) =>
    element('tableRow', ...Array.from({ length: columns }, (_, column) => cell(`${at} ${column}`)))
  doc.transact(() => {
    doc.getXmlFragment('default').insert(0, [element('table', ...Array.from({ length: rows }, (_, at) => row(at)))])
  })
  return Y.encodeStateAsUpdate(doc)
}

function rowsIn(doc: Y.Doc): Y.XmlElement[] {
  const table = doc.getXmlFragment('default').get(0) as Y.XmlElement
  return table.toArray() as Y.XmlElement[]
}

test('[COLLAB-16] after each part of a table all rows are whole, and after the last it is all there', () => {
  const whole = tableOf(2000)
  const divided = divideFor(whole, 64 * 1024, () => 0)
  if (divided.kind !== 'parts') throw new Error(divided.kind)
  expect(divided.parts.length).toBeGreaterThan(10)
  const reader = new Y.Doc()
  for (const part of divided.parts) {
    Y.applyUpdate(reader, part)
    expect(reader.store.pendingStructs).toBeNull()
    for (const row of rowsIn(reader)) {
      const cells = row.toArray() as Y.XmlElement[]
      expect(cells.map((cell) => [cell.length, cell.getAttribute('align')])).toEqual(Array(columns).fill([1, 'left']))
    }
  }
  const expected = new Y.Doc()
  Y.applyUpdate(expected, whole)
  expect(reader.getXmlFragment('default').toString()).toBe(expected.getXmlFragment('default').toString())
})

test('[COLLAB-16] what the document has is left out, what is missing is named, and what depends on itself is no part', () => {
  const doc = new Y.Doc()
  doc.clientID = 1
  const text = doc.getText('default')
  text.insert(0, 'one')
  const first = Y.encodeStateAsUpdate(doc)
  text.insert(3, 'two')
  const rest = Y.encodeStateAsUpdate(doc, Y.encodeStateVectorFromUpdate(first))
  expect(divideFor(rest, 1, () => 0)).toEqual({ kind: 'gap', missing: { client: 1, clock: 2 } })
  expect(divideFor(first, 1, () => 3)).toEqual({ kind: 'parts', parts: [] })
  expect(divideFor(rest, 1, () => 3)).toMatchObject({ kind: 'parts', parts: [rest] })
  // Two structs, each to the right of the other.
  const circle = Uint8Array.of(2, 1, 2, 0, 0x84, 1, 0, 1, 97, 1, 1, 0, 0x84, 2, 0, 1, 98, 0)
  expect(divideFor(circle, 1, () => 0)).toEqual({ kind: 'invalid' })
  expect(divideUpdate(circle, 1)).toEqual([circle])
})
