import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createTypingForwarder } from './typing-forwarder.ts'

function paragraph(...children: (string | Y.XmlElement)[]): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  element.insert(
    0,
    children.map((child) => (typeof child === 'string' ? new Y.XmlText(child) : child)),
  )
  return element
}

// A document and a peer's replica that has not received `replace` when `type` runs on it.
function play(
  blocks: Y.XmlElement[],
  replace: (fragment: Y.XmlFragment) => void,
  type: (theirs: Y.XmlFragment) => void,
) {
  const [doc, peer] = [new Y.Doc(), new Y.Doc()]
  const [fragment, theirs] = [doc, peer].map((each) => each.getXmlFragment('default')) as [Y.XmlFragment, Y.XmlFragment]
  fragment.insert(0, blocks)
  Y.applyUpdate(peer, Y.encodeStateAsUpdate(doc))
  const forwarder = createTypingForwarder(doc, fragment, { origin: 'test', noteOrigin: 'replace', wholeOnly: true })
  doc.transact(() => replace(fragment), 'replace')
  type(theirs)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(peer, Y.encodeStateVector(doc)))
  forwarder.close()
  return fragment
}

const textIn = (parent: Y.XmlFragment, block: number) => (parent.get(block) as Y.XmlElement).get(0) as Y.XmlText

test('a quote around 10,000 blocks is recorded in one pass', () => {
  const count = 10_000
  const all = () => Array.from({ length: count }, (_, index) => paragraph(`block ${index}`))
  const put = (fragment: Y.XmlFragment) => {
    const quote = new Y.XmlElement('blockquote')
    fragment.insert(0, [quote])
    quote.insert(0, all())
    fragment.delete(1, count)
  }
  const quoted = play(all(), put, (theirs) => {
    for (const block of [0, count - 1]) textIn(theirs, block).insert(5, '!')
  })
  const quote = quoted.get(0) as Y.XmlElement
  expect([textIn(quote, 0), textIn(quote, count - 1)].map(String)).toEqual(['block! 0', `block! ${count - 1}`])
})

test('text typed into a block that holds only an image is forwarded', () => {
  const image = () => new Y.XmlElement('image')
  const move = (fragment: Y.XmlFragment) => {
    fragment.insert(2, [paragraph(image())])
    fragment.delete(0, 1)
  }
  const moved = play([paragraph(image()), paragraph('other')], move, (theirs) => {
    ;(theirs.get(0) as Y.XmlElement).insert(1, [new Y.XmlText('a caption')])
  })
  expect(moved.toArray().map(String)).toEqual([
    '<paragraph>other</paragraph>',
    '<paragraph>a caption<image></image></paragraph>',
  ])
})

test('text of all blocks that were joined is forwarded next to its neighbours', () => {
  const join = (fragment: Y.XmlFragment) => {
    fragment.delete(0, 3)
    fragment.insert(0, [paragraph('one two three')])
  }
  const joined = play([paragraph('one'), paragraph('two'), paragraph('three')], join, (theirs) => {
    for (const block of [0, 1, 2]) textIn(theirs, block).insert(2, String(block))
  })
  expect(joined.toArray().map(String)).toEqual(['<paragraph>on0e tw1o th2ree</paragraph>'])
})
