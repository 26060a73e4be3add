import { contentTypes } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { findTokens, Ledger } from './ledger.ts'

/** Two replicas of a document with three paragraphs, and who judges what is edited in them. */
function scene() {
  const ledger = new Ledger()
  const [a, b] = [replica(2), replica(3)]
  const first = a.getXmlFragment(contentTypes.fragment)
  first.insert(0, [paragraph('one'), paragraph('two'), paragraph('three')])
  exchange(a, b)
  return { ledger, a, b, inA: first, inB: b.getXmlFragment(contentTypes.fragment) }
}

test('a token that a join has glued to a word is found', () => {
  const { inA, a } = scene()
  textOf(inA, 0).insert(3, 'a1q')
  expect([...findTokens(inA).keys()]).toEqual(['a1q'])
  a.destroy()
})

test('a token moved into a block that another client was deleting is not reported as lost', () => {
  const { ledger, a, b, inA, inB } = scene()
  const token = ledger.newToken('a')
  ledger.record(a, inA, () => {
    textOf(inA, 0).insert(0, `${token} `)
    ledger.noteTyped(token, textOf(inA, 0))
  })
  exchange(a, b)
  ledger.record(a, inA, () => {
    textOf(inA, 0).delete(0, token.length)
    textOf(inA, 1).insert(0, token)
  })
  ledger.record(b, inB, () => inB.delete(1, 1))
  exchange(a, b)
  expect(ledger.findMissing(inA)).toEqual({ expected: 0, missing: [] })
})

test('a token that is gone although nobody removed it is missed', () => {
  const { ledger, a, inA } = scene()
  const token = ledger.newToken('a')
  ledger.record(a, inA, () => {
    textOf(inA, 0).insert(0, token)
    ledger.noteTyped(token, textOf(inA, 0))
  })
  textOf(inA, 0).delete(0, token.length)
  expect(ledger.findMissing(inA)).toEqual({ expected: 1, missing: [token] })
})

function replica(clientID: number): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = clientID
  return doc
}

function paragraph(text: string): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  element.insert(0, [new Y.XmlText(text)])
  return element
}

function textOf(fragment: Y.XmlFragment, index: number): Y.XmlText {
  return (fragment.get(index) as Y.XmlElement).get(0) as Y.XmlText
}

function exchange(a: Y.Doc, b: Y.Doc): void {
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)))
  Y.applyUpdate(a, Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)))
}
