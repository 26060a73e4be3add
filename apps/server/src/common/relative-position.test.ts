import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { decodeSelection } from './relative-position.ts'

function encoded(position: Y.RelativePosition): string {
  return Buffer.from(Y.encodeRelativePosition(position)).toString('base64')
}

test('a selection is two positions in the content; what names no place there is none', () => {
  const doc = new Y.Doc()
  const fragment = doc.getXmlFragment('default')
  const text = new Y.XmlText('typed')
  fragment.insert(0, [text])
  const positions = [text, fragment].map((type) => Y.createRelativePositionFromTypeIndex(type, 1))
  for (const position of positions) {
    const decoded = decodeSelection({ anchor: encoded(position), head: encoded(position) })
    expect(decoded && [encoded(decoded.anchor), encoded(decoded.head)]).toEqual([encoded(position), encoded(position)])
  }
  const sound = encoded(positions[0]!)
  const elsewhere = encoded(Y.createRelativePositionFromTypeIndex(doc.getText('other'), 0))
  for (const bad of ['f'.repeat(1000), '', '!', elsewhere]) {
    expect(decodeSelection({ anchor: sound, head: bad }), bad).toBeUndefined()
    expect(decodeSelection({ anchor: bad, head: sound }), bad).toBeUndefined()
  }
})
